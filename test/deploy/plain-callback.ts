/**
 * Is preloaded into the functions. The CDK's provider of custom resources sends the outcome to CloudFormation with HTTPS
 * and port 443 only. This module redirects these requests to the emulator, which uses HTTP and another port.
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
