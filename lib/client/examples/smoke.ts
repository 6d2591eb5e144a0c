import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { createPortalClient, type PortalClient, PortalError } from '../index.ts';

const usage = `Usage: npm run smoke -- --api URL --tenant TENANT --email EMAIL

Tries a running service: log in, list, check an amount, be refused an unknown invoice. Nothing is declared.

  --api URL        the address of the service, in front of /apidev: the output ApiUrl of the stack
  --tenant TENANT  the tenant
  --email EMAIL    a user of a supplier of the tenant

PORTAL_API_KEY and PORTAL_PASSWORD in the environment hold the API key and the password. With those of npm start:
  npm run smoke -- --api http://127.0.0.1:3000 --tenant demo.example --email ana@demo.example

Exit codes: 0 it works; 1 it does not; 2 wrong use.`;

const RANGE_DAYS = 92;
const dateDaysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

let step = '';
const print = (text: string) => void process.stdout.write(`${text}\n`);
const report = (seen: string) => print(`${step}: ${seen}`);

async function tryService(portal: PortalClient): Promise<void> {
  step = 'log in';
  await portal.login();
  report('the credentials are right');

  step = 'list invoices';
  const range = { startdate: dateDaysAgo(RANGE_DAYS), enddate: dateDaysAgo(0) };
  const { rows, total, limit, tolerance } = await portal.listInvoices({ ...range, limit: 10 });
  if (rows.length !== Math.min(total, limit)) throw new Error(`${rows.length} rows were given of ${total}.`);
  if (typeof tolerance?.source !== 'string') throw new Error('The list came without a tolerance.');
  report(`${total} in the last ${RANGE_DAYS} days`);

  step = 'check an amount';
  const declarable = rows.find(({ state_code }) => state_code !== 'LIQ');
  const check = declarable && (await portal.validateAmount({ invoice_id: declarable.invoice_id, amount: 1 }));
  if (check) report(`1.00 on ${check.invoice_id} would come to ${check.action}; nothing was written`);
  else report('left out, for no invoice could be declared');

  step = 'be refused an unknown invoice';
  const refusal = await portal.getInvoice('0').catch((error: unknown) => error);
  if (!(refusal instanceof PortalError)) throw new Error('An invoice that cannot exist was found.');
  if (refusal.code !== 'NOT_FOUND') throw refusal;
  if (refusal.requestId === null) throw new Error('The answer has no X-Request-Id.');
  report('NOT_FOUND, with a request id');
}

function clientOfOptions(): PortalClient {
  const text = { type: 'string' } as const;
  const { api, tenant, email } = parseArgs({ options: { api: text, tenant: text, email: text } }).values;
  const { PORTAL_API_KEY: apiKey, PORTAL_PASSWORD: password } = env;
  if (!api || !tenant || !email) throw new Error('Give --api, --tenant and --email.');
  if (!apiKey || !password) throw new Error('PORTAL_API_KEY and PORTAL_PASSWORD must be set in the environment.');
  return createPortalClient({ baseUrl: api, tenant, apiKey, email, password });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PortalError)) return (error as Error).message;
  const { code, status, message, requestId } = error;
  const request = requestId === null ? '' : ` Request id: ${requestId}.`;
  return `${code}${status === null ? '' : ` (${status})`}: ${message}${request}`;
}

if (process.argv.includes('--help')) print(usage);
else {
  try {
    await tryService(clientOfOptions());
    print('The service works.');
  } catch (error) {
    const isWrongUse = step === '';
    const end = isWrongUse ? `\n${usage.split('\n')[0]}\n` : '\n';
    const start = isWrongUse ? '' : `The service does not work: could not ${step}. `;
    process.stderr.write(start + reasonOf(error) + end);
    process.exitCode = isWrongUse ? 2 : 1;
  }
}
