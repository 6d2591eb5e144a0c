/**
 * Preloaded into the functions: the CDK's provider of custom resources tells CloudFormation the outcome by HTTPS, on
 * port 443 whatever the address says; the emulator listens by HTTP on a port of its own.
 */
import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { env } from 'node:process';

const emulator = new URL(env['AWS_ENDPOINT_URL']!);
const { request } = https;

https.request = ((options: RequestOptions, ...rest: []) =>
  options.hostname === 'host.docker.internal'
    ? http.request({ ...options, hostname: emulator.hostname, port: emulator.port }, ...rest)
    : request(options, ...rest)) as typeof request;
