/**
 * Stands in for rapid-client.node, the HTTP client that aws-lambda-ric has in C++: compiling it takes cmake, a C++ compiler
 * and the headers of Node. Load it with --import, and the runtime interface client finds this module in its place.
 */
import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { registerHooks } from 'node:module';
import { env } from 'node:process';
import { text } from 'node:stream/consumers';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let sent: Promise<unknown> = Promise.resolve();

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === './rapid-client.node'
      ? { url: import.meta.url, format: 'module-typescript', shortCircuit: true }
      : nextResolve(specifier, context),
});

/** Waits for the next invocation. */
export async function next(): Promise<{ bodyJson: string; headers: IncomingHttpHeaders }> {
  await sent;
  return call('GET', 'next');
}

/** Reports the result of an invocation, as JSON. */
export function done(invocationId: string, result: string): void {
  sent = call('POST', `${invocationId}/response`, result);
}

/** Reports that an invocation failed, and how, as JSON twice. */
export function error(invocationId: string, failure: string, xrayCause: string): void {
  sent = call('POST', `${invocationId}/error`, failure, { 'Lambda-Runtime-Function-XRay-Error-Cause': xrayCause });
}

async function call(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const url = `http://${env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation/${path}`;
  const outgoing = request(url, { method, agent, headers: { 'Content-Type': 'application/json', ...headers } });
  const { promise, resolve, reject } = Promise.withResolvers<{ bodyJson: string; headers: IncomingHttpHeaders }>();
  outgoing.on('error', reject).on('response', (response) => {
    text(response).then((bodyJson) => resolve({ bodyJson, headers: response.headers }), reject);
  });
  outgoing.end(body);
  return promise;
}
