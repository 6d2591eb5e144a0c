import type { Contract, ExampleInput, SampleAccount } from '../../lib/contracts/contract.ts';
import { legacyDispatchContract } from '../../lib/contracts/legacy-dispatch.ts';
import { loginContract } from '../../lib/contracts/login.ts';
import { CommandError } from '../process/terminal.ts';
import { currentContracts } from '../routes.ts';
import { buildExamples } from './examples.ts';

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

/** Builds a request to every operation from its first example, which succeeds. The keys are the names of operations. */
export function buildSampleRequests(account: SampleAccount, token: string): Readonly<Record<string, SampleRequest>> {
  const requests: Record<string, SampleRequest> = {};
  for (const { operationId, input } of buildExamples(account)) {
    requests[operationId] ??= buildRequest(operationId, input, account, token);
  }
  return requests;
}

/** Builds a request to an operation. The input of an operation of the legacy route contains its credentials. */
export function buildRequest(
  operationId: string,
  input: ExampleInput,
  { tenant, apiKey }: SampleAccount,
  token: string,
): SampleRequest {
  const contract = currentContracts.find(({ name }) => name === operationId);
  const body = JSON.stringify(input);
  const bodyHeaders = { 'Content-Type': 'application/json' };
  if (!contract) {
    const legacyPath = legacyDispatchContract.path.replace('{WSName}', operationId);
    return { method: 'POST', path: legacyPath, headers: bodyHeaders, body };
  }

  const { method, path, source, access } = contract;
  const credentials = access === null ? {} : { Authorization: `Bearer ${token}`, 'X-API-Key': apiKey };
  const headers = { tenant, ...credentials };
  if (source === 'body') return { method, path, headers: { ...headers, ...bodyHeaders }, body };
  return { method, path: buildPath(contract, input), headers };
}

/** Builds the path of a request with its parameters: path parameters replace `{name}`, all others form the query. */
function buildPath(contract: Contract, input: ExampleInput): string {
  let { path } = contract;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (isPathParameter(contract, name)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

/** True if a parameter of a contract is in its path. All other parameters are in the query. */
export function isPathParameter({ path }: Pick<Contract, 'path'>, name: string): boolean {
  return path.includes(`{${name}}`);
}

/** Logs an account in at a running service, and returns its token. Throws a CommandError if the login fails. */
export async function logIn(gateway: string, account: SampleAccount): Promise<string> {
  const { path, ...request } = buildSampleRequests(account, '')[loginContract.name]!;
  const response = await fetch(gateway + path, request).catch(() => null);
  // Another program can listen at the address, and respond with a body that is not JSON.
  const body = (await response?.json().catch(() => null)) as { data?: { authorization?: string } } | null;
  const token = body?.data?.authorization;
  if (token !== undefined) return token;
  throw new CommandError(
    `The demo account cannot log in at ${gateway}. Run npm start with its demo data, or pass its address with --gateway.`,
  );
}
