import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { DemoAccount } from '../demo-account.ts';
import { currentRequests, legacyRequests, type SampleRequest } from '../demo-requests.ts';
import { listen, localHost } from '../local/ports.ts';
import { proxyEvent } from '../local/proxy-event.ts';
import { matchRoute } from '../local/route-match.ts';
import type { StackDefinition } from '../local/stack-definition.ts';

/**
 * An event for a function of the stack; the name is the function's own, with the operation of the legacy route behind a
 * dot.
 */
export interface SampleEvent {
  readonly name: string;
  readonly functionId: string;
  readonly event: object;
}

/** A request of the demo account for each sample event, by `<function>` or `<function>.<operation>`. */
export function sampleRequests(account: DemoAccount, token: string): Readonly<Record<string, SampleRequest>> {
  const legacy = Object.entries(legacyRequests(account)).map(([name, request]) => [`legacy-dispatch.${name}`, request]);
  return { ...currentRequests(account, token), ...Object.fromEntries(legacy) };
}

/** The events of every function: those that the gateway makes of the sample requests, and that of the schedule. */
export async function sampleEvents(
  stack: StackDefinition,
  account: DemoAccount,
  token: string,
): Promise<SampleEvent[]> {
  const recorder = createServer((request, response) => {
    void eventOf(stack, request).then((event) => response.end(JSON.stringify(event)));
  });
  const url = `http://${localHost}:${await listen(recorder, 0)}`;
  const recorded = Object.entries(sampleRequests(account, token)).map(async ([name, { path, ...request }]) => {
    const response = await fetch(url + path, request);
    return { name, ...((await response.json()) as Omit<SampleEvent, 'name'>) };
  });
  const events = await Promise.all(recorded);
  recorder.close();
  const rotation = { name: 'rotate-signing-key', functionId: stack.rotationFunctionId, event: { rotate: true } };
  return [...events, rotation];
}

/** Real requests are recorded, so that the local gateway is the one place that knows the shape of an event. */
async function eventOf(
  { routes, binaryMediaTypes }: StackDefinition,
  request: IncomingMessage,
): Promise<Omit<SampleEvent, 'name'>> {
  const { method = '', url: target = '' } = request;
  const url = new URL(target, 'http://gateway');
  const match = matchRoute(routes, method, url.pathname);
  if (match === undefined) throw new Error(`The stack has no route ${method} ${url.pathname}.`);
  const body = await buffer(request);
  const received = { requestId: randomUUID(), receivedAt: Date.now() };
  const event = proxyEvent({ request, method, url, body, binaryMediaTypes, match, ...received });
  return { functionId: match.functionId, event };
}
