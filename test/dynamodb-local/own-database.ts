#!/usr/bin/env node
/**
 * Takes the place of the embedded engine's program (DYNOXIDE_BIN): hands every call on to the DynamoDB Local that runs
 * at DYNAMODB_LOCAL_URL, with an access key of its own. DynamoDB Local keeps a database for each access key, so every
 * engine of a test starts empty and is alone, as the embedded one is.
 */
import { randomBytes } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  allowPositionals: true,
  options: { host: { type: 'string' }, port: { type: 'string' }, 'db-path': { type: 'string' } },
});
const { hostname, port } = new URL(process.env['DYNAMODB_LOCAL_URL'] ?? '');
const accessKey = randomBytes(8).toString('hex');
// Closes an idle connection before DynamoDB Local does (after 30 s): a call on one that is closed would be lost.
const agent = new Agent({ keepAlive: true, timeout: 5_000 });

const server = createServer((call, answer) => {
  if (isTimeToLive(call)) answer.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
  else void handOn(call, answer);
});
server.listen(Number(values.port), values.host);

/** It would delete what has expired within a second, by the machine's time; many tests live in another time. */
function isTimeToLive({ headers }: IncomingMessage): boolean {
  return headers['x-amz-target'] === 'DynamoDB_20120810.UpdateTimeToLive';
}

async function handOn(call: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { method, url: path, headers } = call;
  const authorization = headers.authorization?.replace(/Credential=[^/]+/, `Credential=${accessKey}`);
  const handedOn = request({
    ...{ agent, hostname, port, method, path },
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
  });
  handedOn.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    pipeline(response, answer).catch(() => {});
  });
  // Either side may hang up: that ends the other.
  answer.on('close', () => handedOn.destroy());
  handedOn.on('error', () => answer.destroy());
  await pipeline(call, handedOn).catch(() => {});
}
