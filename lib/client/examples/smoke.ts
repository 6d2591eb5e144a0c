import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { createPortalClient, type PortalClient, PortalError, REQUEST_LIMITS } from '../index.ts';

const USAGE = `Usage: npm run smoke -- --api URL --tenant TENANT --email EMAIL

Tests a running service: logs in, lists invoices, checks an amount and requests an unknown invoice. Declares nothing.

  --api URL        the address of the service, without /apidev: the output ApiUrl of the stack
  --tenant TENANT  the tenant
  --email EMAIL    a user of a supplier of the tenant

Set the environment variables PORTAL_API_KEY and PORTAL_PASSWORD. To test npm start with its demo account:
  npm run smoke -- --api http://127.0.0.1:3000 --tenant demo.example --email ana@demo.example

Exit codes: 0 the service works; 1 it does not work; 2 invalid usage.`;

// The range includes today.
const RANGE_DAYS = REQUEST_LIMITS.rangeDays - 1;
const DAY_MS = 86_400_000;

/** The steps of the test by name. Each returns what it has found, or throws an error. */
const STEPS: Readonly<Record<string, (portal: PortalClient) => Promise<string>>> = {
  'log in': async (portal) => {
    await portal.login();
    return 'the credentials are valid';
  },
  'list invoices': async (portal) => {
    const { rows, total, limit } = await listInvoices(portal);
    const isComplete = rows.length === Math.min(total, limit);
    if (!isComplete) throw new Error(`The response contains ${rows.length} of ${total} rows.`);
    return `${total} in the last ${RANGE_DAYS} days`;
  },
  'check an amount': async (portal) => {
    const { rows } = await listInvoices(portal);
    const declarable = rows.find(({ state_code }) => state_code !== 'LIQ');
    if (!declarable) return 'skipped, because no invoice in the list can be declared';
    const { invoice_id, action } = await portal.validateAmount({ invoice_id: declarable.invoice_id, amount: 1 });
    return `1.00 on ${invoice_id} would result in ${action}; nothing was saved`;
  },
  'get NOT_FOUND for an unknown invoice': async (portal) => {
    const failure = await portal.getInvoice('0').catch((error: unknown) => error);
    if (!(failure instanceof PortalError)) throw new Error('The service returned an invoice that cannot exist.');
    if (failure.code !== 'NOT_FOUND') throw failure;
    if (failure.requestId === null) throw new Error('The response has no request id.');
    return 'NOT_FOUND, with a request id';
  },
};

function listInvoices(portal: PortalClient) {
  const formatDay = (epochMs: number) => new Date(epochMs).toISOString().slice(0, '2026-08-31'.length);
  const now = Date.now();
  return portal.listInvoices({ startdate: formatDay(now - RANGE_DAYS * DAY_MS), enddate: formatDay(now), limit: 10 });
}

function createClientFromOptions(): PortalClient {
  const text = { type: 'string' } as const;
  const { api, tenant, email } = parseArgs({ options: { api: text, tenant: text, email: text } }).values;
  const { PORTAL_API_KEY: apiKey, PORTAL_PASSWORD: password } = env;
  if (!api || !tenant || !email) throw new Error('Pass --api, --tenant and --email.');
  if (!apiKey || !password) throw new Error('PORTAL_API_KEY and PORTAL_PASSWORD must be set in the environment.');
  return createPortalClient({ baseUrl: api, tenant, apiKey, email, password });
}

function describeError(error: unknown): string {
  if (!(error instanceof PortalError)) return (error as Error).message;
  const { code, status, message, requestId } = error;
  return `${code} (${status ?? 'no response'}): ${message} Request id: ${requestId ?? 'none'}.`;
}

/** Runs the steps until one fails. Returns the exit code. Throws an error if the options are invalid. */
async function runSmokeTest(): Promise<number> {
  const portal = createClientFromOptions();
  for (const [step, test] of Object.entries(STEPS)) {
    try {
      process.stdout.write(`${step}: ${await test(portal)}\n`);
    } catch (error) {
      process.stderr.write(`The service does not work: could not ${step}. ${describeError(error)}\n`);
      return 1;
    }
  }
  process.stdout.write('The service works.\n');
  return 0;
}

try {
  if (process.argv.includes('--help')) process.stdout.write(`${USAGE}\n`);
  else process.exitCode = await runSmokeTest();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n${USAGE.split('\n')[0]}\n`);
  process.exitCode = 2;
}
