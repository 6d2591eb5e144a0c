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

/** An operation with its examples, and the function that builds its sample request with a change. */
export type SampleOperation = ReturnType<typeof toOperation>;

/** The name of an endpoint of the current interface, or of an operation of the legacy route. */
type OperationName = Exclude<ContractName, 'legacy-dispatch'> | keyof typeof LEGACY_CALLS;

/** Returns the operations of the current interface, then those of the legacy route. */
export function buildSampleOperations(account: SampleAccount, token: string): SampleOperation[] {
  const { tenant, apiKey, email, password } = account;
  const credentials = { tenant, Authorization: `Bearer ${token}`, 'X-API-Key': apiKey };
  const current = contracts
    .filter(({ name }) => name !== legacyDispatchContract.name)
    .map((contract) => {
      const { sample, cases } = contractDocs[contract.name];
      const headers = contract.access === null ? { tenant } : credentials;
      const input = typeof sample === 'function' ? sample(account) : sample;
      return toOperation(contract, { headers, input }, cases);
    });
  const WSAutorizacion = { Guid: apiKey, Usuario: email, Password: password };
  const legacy = Object.entries(LEGACY_CALLS).map(([name, { sample, cases }]) => {
    const path = legacyDispatchContract.path.replace('{WSName}', name);
    const operation = { ...legacyDispatchContract, name, path, access: 'legacy' as const };
    return toOperation(operation, { headers: {}, input: { WSAutorizacion, ...sample } }, cases);
  });
  return [...current, ...legacy];
}

/** Returns the sample request to each operation, by its name. */
export function buildSampleRequests(
  account: SampleAccount,
  token: string,
): Readonly<Record<OperationName, SampleRequest>> {
  const requests = buildSampleOperations(account, token).map(({ name, request }) => [name, request()] as const);
  return Object.fromEntries(requests) as Record<OperationName, SampleRequest>;
}

function toOperation(
  contract: Pick<Contract, 'name' | 'method' | 'path' | 'source'> & { readonly access: Contract['access'] | 'legacy' },
  sample: Required<Change>,
  cases: SampleCalls['cases'],
) {
  const { name, method, path, source, access } = contract;
  return {
    name,
    /** The permission that the operation requires; null: none; `legacy`: an operation of the legacy route. */
    access,
    cases,
    request: ({ headers, input }: Change = {}): SampleRequest => {
      const isBody = source === 'body';
      const allHeaders = { ...sample.headers, ...(isBody && { 'Content-Type': 'application/json' }), ...headers };
      const allInput = { ...sample.input, ...input };
      return {
        method,
        path:
          source === 'query'
            ? `${path}?${new URLSearchParams(definedValues(allInput)).toString()}`
            : path.replaceAll(/\{(\w+)\}/g, (_, property: string) => encodeURIComponent(String(allInput[property]))),
        headers: definedValues(allHeaders),
        ...(isBody && { body: JSON.stringify(allInput) }),
      };
    },
  };
}

function definedValues(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, String(value)]));
}

/** Logs the demo account in at a running service, and returns its token; throws a CommandError if that fails. */
export async function logIn(gateway: string, account: SampleAccount): Promise<string> {
  const { path, ...request } = buildSampleRequests(account, '').login;
  const response = await fetch(gateway + path, request).catch(() => {
    throw new CommandError(
      `No service responds at ${gateway}. Start it with npm start, or pass its address with --gateway.`,
    );
  });
  const answer = (await response.json().catch(() => undefined)) as { data?: { authorization?: string } } | undefined;
  const token = answer?.data?.authorization;
  if (token !== undefined) return token;
  throw new CommandError(
    `${gateway} rejects the demo account (status ${response.status}). Run the service with its demo data, without --empty.`,
  );
}
