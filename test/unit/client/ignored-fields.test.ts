import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { buildFailure, buildSuccessBody, createScriptedPortal } from '../../support/client/scripted-portal.ts';

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const declaration = { invoice_id: '1', amount: 1 };
const buildResponse = (fields: string) =>
  Response.json(buildSuccessBody(), { headers: { 'X-Ignored-Fields': fields } });

/** Declares with a new client, once for each value of the header in the responses. */
async function declare(...fields: readonly string[]): Promise<void> {
  const { client } = createScriptedPortal({ calls: fields.map(buildResponse) });
  for (const _ of fields) await client.declareInvoice(declaration);
}

it('a client warns of ignored properties once for each value of the header', async () => {
  const first = ['The service ignored unknown properties: invoce_date.'];
  const second = ['The service ignored unknown properties: invoce_date, ammount.'];
  await declare('invoce_date', 'invoce_date', 'invoce_date, ammount', 'invoce_date');
  expect(warn.mock.calls).toEqual([first, second]);
  await declare('invoce_date');
  expect(warn.mock.calls).toEqual([first, second, first]);
});

it('a client warns of the ignored properties of a declaration that is rejected', async () => {
  const headers = { 'X-Ignored-Fields': 'ammount' };
  const { client } = createScriptedPortal({ calls: [buildFailure('VALIDATION_ERROR', { headers })] });
  await expect(client.declareInvoice(declaration)).rejects.toThrow();
  expect(warn.mock.calls).toEqual([['The service ignored unknown properties: ammount.']]);
});

it.each<[where: string, leaveDevelopment: () => void]>([
  ['in production', () => vi.stubEnv('NODE_ENV', 'production')],
  ['without a process, as in a browser,', () => vi.stubGlobal('process', undefined)],
  ['with a process that has no environment', () => vi.stubGlobal('process', {})],
])('a client %s does not warn of ignored properties', async (_where, leaveDevelopment) => {
  leaveDevelopment();
  await declare('invoce_date');
  expect(warn).not.toHaveBeenCalled();
});
