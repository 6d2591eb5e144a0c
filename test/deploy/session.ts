import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { buildSampleEvents } from '../../infra/local/sam/sam-files.ts';
import { expectSuccess } from '../support/answers/sample-answers.ts';
import type { DeployedStack } from './deployed-stack.ts';
import { step } from './step.ts';

/** Logs in with the demo account. */
export async function openSession(deployed: DeployedStack) {
  const body = await send(deployed, 'login', '');
  return resumeSession(deployed, (body as { data: { authorization: string } }).data.authorization);
}

/** Creates a session of the demo account from the token of another session. */
export function resumeSession(deployed: DeployedStack, token: string) {
  return {
    token,
    /** Sends a sample event, and expects a success that is valid and contains `expected`. */
    call: async (name: string, expected: object): Promise<void> => {
      expect(await send(deployed, name, token)).toMatchObject(expected);
    },
  };
}

/** The account of the demo data with a password that a deployed stack accepts. */
export const deployedAccount = { ...DEMO_ACCOUNT, password: 'remolacha-tranvia-48-oboe' };

async function send(deployed: DeployedStack, name: string, token: string): Promise<unknown> {
  const samples = buildSampleEvents(readStack(), deployedAccount, token);
  const { functionId, event } = samples.find((sample) => sample.name === name)!;
  const result = (await deployed.invoke(functionId, event)) as APIGatewayProxyResult;
  expectSuccess(name, event, result);
  return JSON.parse(result.body);
}

/** Calls every endpoint. The last call reads what the calls before it declared. */
export async function useEveryEndpoint({ call }: ReturnType<typeof resumeSession>): Promise<void> {
  const names = [
    ...['list-invoices', 'validate-amount', 'declare-invoice', 'declare-batch'],
    ...['legacy-dispatch.WSDeclararFactura', 'legacy-dispatch.WSObtenerFactura'],
  ];
  for (const name of names) await step(name, () => call(name, {}));
  const detail = { data: { declared_amount: 1050, state_code: 'APR' } };
  await step('get-invoice: it returns the declaration', () => call('get-invoice', detail));
}
