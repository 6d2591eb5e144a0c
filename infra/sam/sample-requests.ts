import type { DemoAccount } from '../demo-account.ts';
import { currentRequests, legacyRequests, type SampleRequest } from '../local/demo-requests.ts';

/** A request of the demo account for each sample event, by `<function>` or `<function>.<operation>`. */
export function sampleRequests(account: DemoAccount, token: string): Readonly<Record<string, SampleRequest>> {
  const legacy = Object.entries(legacyRequests(account)).map(([name, request]) => [`legacy-dispatch.${name}`, request]);
  return { ...currentRequests(account, token), ...Object.fromEntries(legacy) };
}
