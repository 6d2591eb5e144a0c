import type { DemoAccount } from '../demo-account.ts';
import { StartError } from './start-error.ts';
import { loginRequest } from '../demo-requests.ts';

/** Logs the demo account in at a running service and gives its token; a StartError says what the service lacks. */
export async function logIn(gateway: string, account: DemoAccount): Promise<string> {
  const { path, ...request } = loginRequest(account);
  const response = await fetch(gateway + path, request).catch(() => {
    throw new StartError(
      `No service answers at ${gateway}: start it with npm start, or name its address with --gateway.`,
    );
  });
  const answer = (await response.json().catch(() => undefined)) as { data?: { authorization?: string } } | undefined;
  const token = answer?.data?.authorization;
  if (token !== undefined) return token;
  throw new StartError(
    `${gateway} refuses the demo account (status ${response.status}): the service must run with its demo data, not --empty.`,
  );
}
