import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ACCOUNT_POLICY } from '../../../lib/access/policies.ts';
import { buildFailureSetName } from '../../../lib/tables/account-table.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { type Account, changeRecord } from '../../support/data/seed.ts';
import { apiKey, lists } from '../../support/ops/apply-lists.ts';
import { commandNames, commandsWith, runCli } from '../../support/ops/run-ops.ts';
import { startFakeEventBus } from '../../support/fakes/fake-event-bus.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { useStarted } from '../../support/setup/use-started.ts';

const directory = useDirectory();
const portal = useWatchedPortal();
const bus = useStarted(startFakeEventBus);
let account: Account;

beforeEach(async () => {
  ({ account } = await portal.newCaller());
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '77' })]);
});

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const WRITES = /Write|Put|Update|Delete/;

/** The lines in any order, without what a dry run does not have: times, a generated key, rejected records, events. */
const linesOf = (text: string) =>
  text
    .replace(/^The rejected records .*\n/m, '')
    .replace(/^To publish: /m, 'Published: ')
    .replace(/: [0-9a-f-]{36} \(shown only once\)/, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .split('\n')
    .toSorted();

/** Runs a command; returns also the operations that wrote or published something. */
async function run(...args: string[]) {
  const written: string[] = [];
  portal.proxy.watch = (operation) => void (WRITES.test(operation) && written.push(operation));
  bus.reset();
  const endpoints = { DYNAMODB: portal.proxy.engine.endpoint, EVENTBRIDGE: bus.url };
  const env = Object.fromEntries(Object.entries(endpoints).map(([name, url]) => [`AWS_ENDPOINT_URL_${name}`, url]));
  const done = await runCli([...args, '--local'], { env, input: 'a new Passphrase\n' });
  return { ...done, written: [...written, ...bus.calls.map(() => 'PutEvents')] };
}

function file(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

const tenantFile = () =>
  file('tenant.yaml', JSON.stringify({ tenants: [{ tenant: `new-${account.scope.tenant}`, ...lists }] }));
const invoiceFile = () => {
  const invoice = { supplier_id: account.scope.supplierId, service_id: '5', system_amount: 1 };
  return file('new.ndjson', `${JSON.stringify({ invoice_id: '78', ...invoice })}\n{"invoice_id":"79"}\n`);
};
const decisionFile = () => {
  const decision = { supplier_id: account.scope.supplierId, invoice_id: '77', revision: null, decision: 'LIQ' };
  return file('decided.ndjson', JSON.stringify(decision));
};
const userOf = () => [account.scope.tenant, account.reference.userId];
const companyOf = () => [account.scope.tenant, account.reference.companyId];
const limits = ['--mode', 'PCT', '--pct', '3', '--auto-approve'];

/** Of each command that writes: arguments with which it changes something, and the exit code that it ends with. */
const commands: Record<string, () => [args: string[], code?: number]> = {
  apply: () => [[tenantFile()]],
  'suspend-company': () => [[...companyOf(), '--yes']],
  'resume-company': () => [companyOf()],
  'activate-user': () => [userOf()],
  'deactivate-user': () => [userOf()],
  'end-sessions': () => [userOf()],
  'unlock-user': () => [userOf()],
  'set-password': () => [userOf()],
  'issue-key': () => [[...companyOf(), 'ERP']],
  'revoke-key': () => [[account.scope.tenant, 'ffff', '--yes']],
  'set-tolerance': () => [[account.scope.tenant, ...limits]],
  'clear-tolerance': () => [[account.scope.tenant]],
  'import-invoices': () => [[invoiceFile(), '--tenant', account.scope.tenant], 1],
  decide: () => [[decisionFile(), '--tenant', account.scope.tenant, '--reason', 'Seen']],
  'set-state': () => [[account.scope.tenant, '77', 'LIQ', '--reason', 'Paid']],
  'republish-events': () => [[account.scope.tenant, '--since', '2026-01-01']],
  'verify-counters': () => [[account.scope.tenant, '--repair', '--yes']],
  'rotate-signing-key': () => [['--leaked', '--yes']],
};

/** What must be so before a command changes something. */
const before: Record<string, () => Promise<unknown>> = {
  'resume-company': () => run('suspend-company', ...companyOf(), '--yes'),
  'activate-user': () => run('deactivate-user', ...userOf()),
  'unlock-user': () => {
    const slots = { [buildFailureSetName(Date.now(), ACCOUNT_POLICY)]: new Set(['slot']) };
    return changeRecord(portal.engine, account.keys.account, slots);
  },
  'clear-tolerance': () => run('set-tolerance', account.scope.tenant, ...limits),
  'republish-events': () => run('set-state', account.scope.tenant, '77', 'LIQ', '--reason', 'Paid'),
  'revoke-key': () => {
    const key = { company_id: account.reference.companyId, key: `${randomUUID().slice(0, -4)}ffff` };
    const tenants = [{ tenant: account.scope.tenant, api_keys: [{ ...apiKey, ...key }] }];
    return run('apply', file('key.yaml', JSON.stringify({ tenants })));
  },
};

it('--dry-run is an option of every command that writes', () => {
  const reading = /^(list-|show$|history$|find-request$|summary$|simulate-|export$|export-declarations$)/;
  const writing = commandNames.filter((name) => !reading.test(name));
  expect(commandsWith('--dry-run').toSorted()).toEqual(writing.toSorted());
  expect(Object.keys(commands).toSorted()).toEqual(writing.toSorted());
});

it.each(Object.keys(commands))(
  '%s --dry-run writes nothing, and prints what the command prints when it writes',
  async (name) => {
    await before[name]?.();
    const [args, code = 0] = commands[name]!();
    const dry = await run(name, ...args, '--dry-run');
    expect(dry).toMatchObject({ code, written: [] });
    const document = await run(name, ...args, '--dry-run', '--json');
    expect(document).toMatchObject({ code, written: [] });
    expect(JSON.parse(document.stdout)).toMatchObject({ dry_run: true });
    expect(document.stdout).not.toMatch(UUID);
    const real = await run(name, ...args);
    expect(real.code).toBe(code);
    expect(linesOf(dry.stdout)).toEqual(linesOf(`${real.stdout}Dry run: nothing was written.\n`));
    if (!['verify-counters', 'rotate-signing-key'].includes(name)) expect(real.written).not.toEqual([]);
  },
);
