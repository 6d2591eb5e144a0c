import type { DemoAccount } from '../../demo-account.ts';
import { currentRequests, legacyRequests, type SampleRequest } from '../../demo-requests.ts';

/** A call of an operation with the data of its example, for somebody who has done nothing before. */
export interface SampleCall {
  readonly baseUrl: string;
  readonly account: DemoAccount;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Without the token of a login, and without the type of the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it sends the token of a login, too. */
  readonly needsLogin: boolean;
  readonly body: unknown;
}

/** The path of the login. */
export const loginPath = '/apidev/v1/login';

/** The call of an operation that its samples show. */
export function sampleCall(operationId: string, baseUrl: string, account: DemoAccount): SampleCall {
  const requests: Readonly<Record<string, SampleRequest>> = {
    ...currentRequests(account, ''),
    ...legacyRequests(account),
  };
  const { method, path, headers, body } = requests[operationId]!;
  const { Authorization: token, 'Content-Type': _, ...own } = headers;
  return {
    baseUrl,
    account,
    operationId,
    method,
    path,
    headers: own,
    needsLogin: token !== undefined,
    body: body === undefined ? undefined : JSON.parse(body),
  };
}
