#!/usr/bin/env node
/**
 * Replaces the program of the embedded engine (DYNOXIDE_BIN): forwards every call to the DynamoDB Local that runs at
 * DYNAMODB_LOCAL_URL, with its own access key. DynamoDB Local has a database for each access key, so every engine of a
 * test starts empty and is separate from the others, as the embedded engine is.
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
// Closes an idle connection before DynamoDB Local does (after 30 s). A call on a closed connection would be lost.
const agent = new Agent({ keepAlive: true, timeout: 5_000 });

const server = createServer((call, response) => {
  if (isTtlUpdate(call)) response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
  else void forwardCall(call, response);
});
// `npm start` waits for this line of the embedded engine.
server.listen(Number(values.port), values.host, () => console.error('Dynoxide listening'));

/** True if the call enables TTL, which would delete the items of tests that use an earlier time than the machine. */
function isTtlUpdate({ headers }: IncomingMessage): boolean {
  return headers['x-amz-target'] === 'DynamoDB_20120810.UpdateTimeToLive';
}

async function forwardCall(call: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path, headers } = call;
  const authorization = headers.authorization?.replace(/Credential=[^/]+/, `Credential=${accessKey}`);
  const forwarded = request({
    ...{ agent, hostname, port, method, path },
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
  });
  forwarded.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    pipeline(reply, response).catch(() => {});
  });
  // If one side closes its connection, the other side is closed too.
  response.on('close', () => forwarded.destroy());
  forwarded.on('error', () => response.destroy());
  await pipeline(call, forwarded).catch(() => {});
}
