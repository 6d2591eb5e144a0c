import type { Contract, SampleAccount, SampleCalls, SampleInput } from '../../lib/contracts/contract.ts';
import { LEGACY_CALLS } from '../../lib/contracts/legacy-dispatch.doc.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { contractDocs, type ContractName, contracts } from '../routes.ts';
import { CommandError } from '../process/terminal.ts';

/** The account of the demo data that has every permission. */
export const demoAccount: SampleAccount = {
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

/** The differences of a request from the sample request. A value that is undefined is not sent. */
export interface Change {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly input?: SampleInput;
}

export interface SampleOperation {
  readonly name: string;
  /** The permission that the operation requires; null for none, `legacy` for an operation of the legacy route. */
  readonly access: Contract['access'] | 'legacy';
  readonly cases: SampleCalls['cases'];
  /** Builds the sample request, with a change if there is one. */
  readonly request: (change?: Change) => SampleRequest;
}

/** The name of an endpoint of the current interface, or of an operation of the legacy route. */
type OperationName = Exclude<ContractName, 'legacy-dispatch'> | keyof typeof LEGACY_CALLS;

/** Builds the operations of the current interface, then those of the legacy route. */
export function buildSampleOperations(account: SampleAccount, token: string): SampleOperation[] {
  const { tenant, apiKey, email, password } = account;
  const credentials = { tenant, Authorization: `Bearer ${token}`, 'X-API-Key': apiKey };
  const operations: SampleOperation[] = [];
  for (const contract of contracts) {
    if (contract.name === legacyDispatchContract.name) continue;
    const { sample, cases } = contractDocs[contract.name];
    const headers = contract.access === null ? { tenant } : credentials;
    const input = typeof sample === 'function' ? sample(account) : sample;
    operations.push(toOperation(contract, { headers, input }, cases));
  }
  const WSAutorizacion = { Guid: apiKey, Usuario: email, Password: password };
  for (const [name, { sample, cases }] of Object.entries(LEGACY_CALLS)) {
    const path = legacyDispatchContract.path.replace('{WSName}', name);
    const operation = { ...legacyDispatchContract, name, path, access: 'legacy' as const };
    operations.push(toOperation(operation, { headers: {}, input: { WSAutorizacion, ...sample } }, cases));
  }
  return operations;
}

/** Builds the sample request to each operation, by its name. */
export function buildSampleRequests(
  account: SampleAccount,
  token: string,
): Readonly<Record<OperationName, SampleRequest>> {
  const requests = buildSampleOperations(account, token).map(({ name, request }) => [name, request()] as const);
  return Object.fromEntries(requests) as Record<OperationName, SampleRequest>;
}

function toOperation(
  contract: Pick<Contract, 'name' | 'method' | 'path' | 'source'> & Pick<SampleOperation, 'access'>,
  sample: Required<Change>,
  cases: SampleCalls['cases'],
): SampleOperation {
  const { name, method, path, source, access } = contract;
  const request = (change: Change = {}): SampleRequest => {
    const input = { ...sample.input, ...change.input };
    if (source === 'body') {
      const headers = { ...sample.headers, 'Content-Type': 'application/json', ...change.headers };
      return { method, path, headers: selectDefined(headers), body: JSON.stringify(input) };
    }
    const headers = selectDefined({ ...sample.headers, ...change.headers });
    if (source === 'query') {
      const query = new URLSearchParams(selectDefined(input)).toString();
      return { method, path: `${path}?${query}`, headers };
    }
    const replaceVariable = (_: string, property: string) => encodeURIComponent(String(input[property]));
    return { method, path: path.replaceAll(/\{(\w+)\}/g, replaceVariable), headers };
  };
  return { name, access, cases, request };
}

/** Converts the values that are not undefined to texts. */
function selectDefined(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, String(value)]));
}

/** Logs an account in at a running service, and returns its token. Throws a CommandError if that fails. */
export async function logIn(gateway: string, account: SampleAccount): Promise<string> {
  const { path, ...request } = buildSampleRequests(account, '').login;
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
