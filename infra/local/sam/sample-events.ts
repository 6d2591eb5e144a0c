import { randomUUID } from 'node:crypto';
import type { SampleAccount } from '../../../lib/contracts/contract-doc.ts';
import { sampleOperations, type SampleRequest } from '../../openapi/sample-requests.ts';
import { matchRoute, buildProxyEvent } from '../proxy-event.ts';
import type { StackDefinition } from '../read-stack.ts';

/**
 * An event for a function of the stack; its name is that of the function, followed by a dot and the operation for the
 * legacy route.
 */
export interface SampleEvent {
  readonly name: string;
  readonly functionId: string;
  readonly event: object;
}

/** Returns the sample request of each event, by `<function>` or `<function>.<operation>`. */
export function eventRequests(account: SampleAccount, token: string): Readonly<Record<string, SampleRequest>> {
  const operations = sampleOperations(account, token);
  return Object.fromEntries(
    operations.map(({ name, access, request }) => [access === 'legacy' ? `legacy-dispatch.${name}` : name, request()]),
  );
}

/** Returns the events of every function: those of the gateway for the sample requests, and that of the schedule. */
export function sampleEvents(stack: StackDefinition, account: SampleAccount, token: string): SampleEvent[] {
  const events = Object.entries(eventRequests(account, token)).map(([name, { method, path, headers, body = '' }]) => {
    const url = new URL(path, 'http://localhost');
    const match = matchRoute(stack.routes, method, url.pathname)!;
    const received = {
      ...{ requestId: randomUUID(), method, url, sourceIp: '127.0.0.1', protocol: 'HTTP/1.1', receivedAt: Date.now() },
      headers: [['Host', url.host] as const, ...Object.entries(headers)],
      body: Buffer.from(body),
    };
    return { name, functionId: match.functionId, event: buildProxyEvent(received, match, stack) };
  });
  const rotation = { name: 'rotate-signing-key', functionId: stack.rotationFunctionId, event: { rotate: true } };
  return [...events, rotation];
}
