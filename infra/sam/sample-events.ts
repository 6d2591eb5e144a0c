import { randomUUID } from 'node:crypto';
import type { DemoAccount } from '../demo-account.ts';
import { currentRequests, legacyRequests, type SampleRequest } from '../demo-requests.ts';
import { matchRoute, proxyEvent } from '../local/proxy-event.ts';
import type { StackDefinition } from '../local/read-stack.ts';

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
export function sampleEvents(stack: StackDefinition, account: DemoAccount, token: string): SampleEvent[] {
  const events = Object.entries(sampleRequests(account, token)).map(([name, { method, path, headers, body = '' }]) => {
    const url = new URL(path, 'http://localhost');
    const match = matchRoute(stack.routes, method, url.pathname)!;
    const received = {
      ...{ requestId: randomUUID(), method, url, sourceIp: '127.0.0.1', protocol: 'HTTP/1.1', receivedAt: Date.now() },
      headers: [['Host', url.host] as const, ...Object.entries(headers)],
      body: Buffer.from(body),
    };
    return { name, functionId: match.functionId, event: proxyEvent(received, match, stack) };
  });
  const rotation = { name: 'rotate-signing-key', functionId: stack.rotationFunctionId, event: { rotate: true } };
  return [...events, rotation];
}
