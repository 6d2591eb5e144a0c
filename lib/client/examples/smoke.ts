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

// The step of the test that is running, which the error message names; empty before the first step.
let step = '';

async function testService(portal: PortalClient): Promise<void> {
  step = 'log in';
  await portal.login();
  print(`${step}: the credentials are valid`);

  step = 'list invoices';
  const range = { startdate: getDateDaysAgo(RANGE_DAYS), enddate: getDateDaysAgo(0) };
  const { rows, total, limit } = await portal.listInvoices({ ...range, limit: 10 });
  if (rows.length !== Math.min(total, limit)) throw new Error(`The response contains ${rows.length} of ${total} rows.`);
  print(`${step}: ${total} in the last ${RANGE_DAYS} days`);

  step = 'check an amount';
  const declarable = rows.find(({ state_code }) => state_code !== 'LIQ');
  if (declarable) {
    const { invoice_id, action } = await portal.validateAmount({ invoice_id: declarable.invoice_id, amount: 1 });
    print(`${step}: 1.00 on ${invoice_id} would result in ${action}; nothing was saved`);
  } else {
    print(`${step}: skipped, because no invoice in the list can be declared`);
  }

  step = 'get NOT_FOUND for an unknown invoice';
  const failure = await portal.getInvoice('0').catch((error: unknown) => error);
  if (!(failure instanceof PortalError)) throw new Error('The service returned an invoice that cannot exist.');
  if (failure.code !== 'NOT_FOUND') throw failure;
  if (failure.requestId === null) throw new Error('The response has no request id.');
  print(`${step}: NOT_FOUND, with a request id`);
  print('The service works.');
}

function getDateDaysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, '2026-08-31'.length);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
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
  const statusText = status === null ? '' : ` (${status})`;
  const requestText = requestId === null ? '' : ` Request id: ${requestId}.`;
  return `${code}${statusText}: ${message}${requestText}`;
}

try {
  if (process.argv.includes('--help')) print(USAGE);
  else await testService(createClientFromOptions());
} catch (error) {
  const message = describeError(error);
  if (step === '') {
    process.stderr.write(`${message}\n${USAGE.split('\n')[0]}\n`);
    process.exitCode = 2;
  } else {
    process.stderr.write(`The service does not work: could not ${step}. ${message}\n`);
    process.exitCode = 1;
  }
}
