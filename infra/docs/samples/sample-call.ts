import type { DemoAccount } from '../../demo-account.ts';
import { type OpenApiDocument, parametersOf, type PlacedOperation, schemesOf } from '../openapi.ts';

/** A call of an operation with the data of its example, for somebody who has done nothing before. */
export interface SampleCall {
  readonly baseUrl: string;
  readonly account: DemoAccount;
  readonly operationId: string;
  readonly method: string;
  /** With the values of its parameters. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  /** Whether it sends the token of a login, and the API key. */
  readonly needsLogin: boolean;
  readonly sendsTenant: boolean;
  readonly body: unknown;
}

/** The path of the login. */
export const loginPath = '/apidev/v1/login';

/** The call of an operation that its samples show. */
export function sampleCall(
  document: OpenApiDocument,
  operation: PlacedOperation,
  { baseUrl, account }: Pick<SampleCall, 'baseUrl' | 'account'>,
): SampleCall {
  const parameters = parametersOf(document, operation);
  const shown = (place: string) => parameters.filter((one) => one.in === place && one.example !== undefined);
  const path = shown('path').reduce(
    (filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))),
    operation.path,
  );
  return {
    baseUrl,
    account,
    operationId: operation.operationId,
    method: operation.method,
    path,
    query: Object.fromEntries(shown('query').map(({ name, example = '' }) => [name, example])),
    needsLogin: schemesOf(operation).length > 0,
    sendsTenant: parameters.some(({ name, required }) => name === 'tenant' && required),
    body: exampleBody(operation),
  };
}

/** The body that an operation takes as its first example. */
export function exampleBody({ requestBody }: PlacedOperation): unknown {
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  return example?.value;
}

/** The address that a call goes to. */
export function addressOf({ baseUrl, path, query }: Pick<SampleCall, 'baseUrl' | 'path' | 'query'>): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${baseUrl}${path}${search.size > 0 ? `?${search.toString()}` : ''}`;
}
