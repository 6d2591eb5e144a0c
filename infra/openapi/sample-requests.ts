import type { Contract, RecordedCase, SampleAccount } from '../../lib/contracts/contract.ts';
import type { SampleCalls, SampleInput } from '../../lib/contracts/contract.ts';
import { LEGACY_CALLS } from '../../lib/contracts/legacy-dispatch.doc.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { loginContract } from '../../lib/contracts/login.ts';
import { CommandError } from '../process/terminal.ts';
import { contractDocs, currentContracts } from '../routes.ts';

/** The account of the demo data that has every permission. */
export const DEMO_ACCOUNT: SampleAccount = {
  tenant: 'demo.example',
  apiKey: '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001',
  email: 'ana@demo.example',
  password: 'Demo-2026!',
};

/** A request that `fetch` can send to the address of a service followed by `path`. */
export interface SampleRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const OPERATION_KINDS = ['login', 'read', 'write', 'legacy'] as const;

/** The kind of an operation: the login, reads and writes of the current interface, and all of the legacy route. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** An operation of the current interface or of the legacy route, with its sample request. */
export interface SampleOperation extends Pick<Contract, 'name' | 'method' | 'path' | 'source'> {
  readonly kind: OperationKind;
  readonly headers: Readonly<Record<string, string>>;
  readonly input: SampleInput;
  readonly cases: SampleCalls['cases'];
}

/** Builds the operations of the current interface, then those of the legacy route. */
export function buildSampleOperations(account: SampleAccount, token: string): SampleOperation[] {
  const { tenant, apiKey, email, password } = account;
  const credentials = { Authorization: `Bearer ${token}`, 'X-API-Key': apiKey };
  const operations: SampleOperation[] = [];
  for (const contract of currentContracts) {
    const { sample, cases } = contractDocs[contract.name];
    const headers = contract.access === null ? { tenant } : { tenant, ...credentials };
    const input = typeof sample === 'function' ? sample(account) : sample;
    operations.push({ ...contract, kind: contract.access ?? 'login', headers, input, cases });
  }
  const WSAutorizacion = { Guid: apiKey, Usuario: email, Password: password };
  for (const [name, { sample, cases }] of Object.entries(LEGACY_CALLS)) {
    const path = legacyDispatchContract.path.replace('{WSName}', name);
    const input = { WSAutorizacion, ...sample };
    operations.push({ ...legacyDispatchContract, name, path, kind: 'legacy', headers: {}, input, cases });
  }
  return operations;
}

/** Builds the sample request to each operation, by its name. */
export function buildSampleRequests(account: SampleAccount, token: string): Readonly<Record<string, SampleRequest>> {
  const operations = buildSampleOperations(account, token);
  return Object.fromEntries(operations.map((operation) => [operation.name, buildRequest(operation)]));
}

/** Builds the sample request to an operation, with other headers or another input. Undefined values are not sent. */
export function buildRequest(
  operation: SampleOperation,
  changes: Pick<RecordedCase, 'headers' | 'input'> = {},
): SampleRequest {
  const { method, path, source } = operation;
  const input = { ...operation.input, ...changes.input };
  const contentType = source === 'body' ? { 'Content-Type': 'application/json' } : {};
  const headers = selectDefined({ ...operation.headers, ...contentType, ...changes.headers });
  if (source === 'body') return { method, path, headers, body: JSON.stringify(input) };
  if (source === 'query') {
    const query = new URLSearchParams(selectDefined(input)).toString();
    return { method, path: `${path}?${query}`, headers };
  }
  const fillVariable = (_variable: string, name: string) => encodeURIComponent(String(input[name]));
  return { method, path: path.replaceAll(/\{(\w+)\}/g, fillVariable), headers };
}

/** Selects the values that are defined, and converts them to texts. */
function selectDefined(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, String(value)]));
}

/** Logs an account in at a running service, and returns its token. Throws a CommandError if that fails. */
export async function logIn(gateway: string, account: SampleAccount): Promise<string> {
  const { path, ...request } = buildSampleRequests(account, '')[loginContract.name]!;
  const response = await fetch(gateway + path, request).catch(() => {
    throw new CommandError(
      `No service responds at ${gateway}. Start it with npm start, or pass its address with --gateway.`,
    );
  });
  // Another program at the address may respond with a text that is not JSON.
  const body = (await response.json().catch(() => undefined)) as { data?: { authorization?: string } } | undefined;
  const token = body?.data?.authorization;
  if (token === undefined) {
    throw new CommandError(
      `${gateway} rejects the demo account (status ${response.status}). Run the service with its demo data, without --empty.`,
    );
  }
  return token;
}
