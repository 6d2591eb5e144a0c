/**
 * Runs a function once, as Lambda does: reads its event from standard input, and prints the result or the error. The
 * arguments are the folder of its code and its handler.
 */
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

const [folder, handler] = process.argv.slice(2);
const [file, exported] = handler.split('.');
const TIME_LIMIT_MS = 20_000;

// The CDK's provider of custom resources calls CloudFormation with HTTPS on port 443 only. The emulator uses HTTP.
const { hostname, port } = new URL(process.env.AWS_ENDPOINT_URL);
const { request } = https;
https.request = (options, ...rest) =>
  options.hostname === 'host.docker.internal'
    ? http.request(Object.assign(options, { hostname, port }), ...rest)
    : request(options, ...rest);

// Standard output is for the result, so the function logs to standard error.
const printResult = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
try {
  const code = createRequire(import.meta.url)(join(folder, `${file}.js`));
  const context = { awsRequestId: crypto.randomUUID(), getRemainingTimeInMillis: () => TIME_LIMIT_MS };
  const result = await code[exported](await json(process.stdin), context);
  printResult(JSON.stringify(result ?? null));
} catch (error) {
  printResult(JSON.stringify({ errorType: error.name, errorMessage: error.message }));
  process.exitCode = 1;
}
