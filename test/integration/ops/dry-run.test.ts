import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { OPERATOR_POLICIES } from '../../../infra/operator-access.ts';
import type { TableName } from '../../../infra/routes.ts';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import { buildHistoryPartition } from '../../../lib/tables/keys.ts';
import { buildFailureCounterName } from '../../../lib/tables/account-table.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { type Account, changeRecord } from '../../support/data/seed.ts';
import { apiKey, lists } from '../../support/ops/apply-lists.ts';
import { isPermitted, listActions, type TableAction } from '../../support/stack/permitted-calls.ts';
import { listManagedStatements } from '../../support/stack/stack-permissions.ts';
import { commandNames, listCommandsWithOption, runCli, SINCE_YESTERDAY } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const directory = useDirectory();
const portal = useWatchedPortal();
let account: Account;
/** The id of the command that `undo` reverts. */
let commandId = '';

beforeEach(async () => {
  const caller = await portal.newCaller();
  ({ account } = caller);
  await seedInvoices(
    portal.engine,
    account.scope,
    ['77', '80'].map((invoiceId) => buildInvoice({ invoiceId })),
  );
  await caller.call('declare-invoice', { body: { invoice_id: '80', amount: 1 } });
});

/** The actions on tables of each command. */
const recorded = new Map<string, TableAction[]>();
/** The commands for a tenant that the policy OperatorTenant denies to an operator of this tenant. */
const deniedCommands = new Set<string>();

const WRITES = /Write|Put|Update|Delete|ExecuteStatement/;

/** Sorts the lines, and removes what a dry run prints differently: times, keys, rejected records. */
const normalizeLines = (text: string) =>
  text
    .replace(/^The rejected records .*\n/m, '')
    .replace(/: [0-9a-f-]{36} \(shown only once\)/, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .split('\n')
    .toSorted();

/** Runs a command, and also returns the operations that wrote something. */
async function runCommand(...args: string[]) {
  const written: string[] = [];
  const [command = ''] = args;
  const actions = recorded.get(command) ?? [];
  recorded.set(command, actions);
  const earlierActions = actions.length;
  const tableNames = new Map(Object.entries(portal.engine.tables).map(([table, id]) => [id, table as TableName]));
  portal.proxy.onCall = (operation, input) => {
    if (WRITES.test(operation)) written.push(operation);
    actions.push(...listActions(operation, input, (table) => tableNames.get(table) ?? (table as TableName)));
  };
  const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.proxy.engine.endpoint };
  const done = await runCli([...args, '--local'], { env, input: 'a new Passphrase\n' });
  portal.proxy.onCall = () => undefined;
  expect(findForbidden(command), `${command}: calls that the policies for operators do not allow`).toEqual([]);
  if (actions.slice(earlierActions).some((action) => isDenied(action, account.scope.tenant)))
    deniedCommands.add(command);
  return { ...done, written };
}

function writeInput(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

const policies = Object.keys(OPERATOR_POLICIES)
  .filter((name) => name !== 'OperatorTenant')
  .map((name) => ({ name, statements: listManagedStatements(name) }));
const denials = listManagedStatements('OperatorTenant', 'Deny');

/** True if the policy OperatorTenant denies an action to an operator whose role has this tag (undefined: none). */
function isDenied(action: TableAction, tag: string | undefined): boolean {
  const context = { ...action.context, ...(tag !== undefined && { 'aws:PrincipalTag/tenant': [tag] }) };
  return isPermitted({ ...action, context }, denials);
}

/** Returns how many of the policies an operator needs for a command: 1 to read, 2 to review and import, 3 to administer. */
function countPolicies(command: string): number {
  const reviewing = ['import-invoices', 'decide', 'set-state', 'withdraw-invoice', 'restore-invoice', 'undo'];
  if (reviewing.includes(command)) return 2;
  return command in readingCommands ? 1 : 3;
}

/** Returns the recorded actions of a command that its policies do not allow. */
function findForbidden(command: string): TableAction[] {
  const statements = policies.slice(0, countPolicies(command)).flatMap((policy) => policy.statements);
  // A deployed stack rotates the key in a function, which has its own role.
  const isOfFunction = ({ context, table }: TableAction) =>
    command === 'rotate-signing-key' && (table === 'SigningKeys' || context['dynamodb:LeadingKeys']?.[0] === 'JWKS');
  return (recorded.get(command) ?? []).filter((action) => !isOfFunction(action) && !isPermitted(action, statements));
}

const writeTenants = () =>
  writeInput('tenant.yaml', JSON.stringify({ tenants: [{ tenant: `new-${account.scope.tenant}`, ...lists }] }));
const writeInvoices = () => {
  const invoice = { supplier_id: account.scope.supplierId, service_id: '5', system_amount: 1 };
  const declaration = { declaration_id: '1', declared_amount: 1 };
  const records = [{ invoice_id: '78', ...invoice, ...declaration }, { invoice_id: '79' }];
  return writeInput('new.ndjson', records.map((record) => `${JSON.stringify(record)}\n`).join(''));
};
const writeDecisions = () => {
  const decision = { supplier_id: account.scope.supplierId, invoice_id: '77', revision: null, decision: 'LIQ' };
  return writeInput('decided.ndjson', JSON.stringify(decision));
};
const buildUserArgs = () => [account.scope.tenant, account.reference.userId];
const buildCompanyArgs = () => [account.scope.tenant, account.reference.companyId];

/** The arguments with which each writing command changes something, and its exit code if that is not 0. */
const commands: Record<string, () => [args: string[], code?: number]> = {
  apply: () => [[writeTenants()]],
  'suspend-company': () => [[...buildCompanyArgs(), '--yes']],
  'resume-company': () => [buildCompanyArgs()],
  'activate-user': () => [buildUserArgs()],
  'deactivate-user': () => [buildUserArgs()],
  'end-sessions': () => [buildUserArgs()],
  'unlock-user': () => [buildUserArgs()],
  'set-password': () => [buildUserArgs()],
  'issue-key': () => [[...buildCompanyArgs(), 'ERP']],
  'revoke-key': () => [[account.scope.tenant, 'ffff', '--yes']],
  'import-invoices': () => [[writeInvoices(), '--tenant', account.scope.tenant], 1],
  decide: () => [[writeDecisions(), '--tenant', account.scope.tenant, '--reason', 'Seen']],
  'set-state': () => [[account.scope.tenant, '77', 'LIQ', '--reason', 'Paid']],
  'withdraw-invoice': () => [[account.scope.tenant, '77', '--reason', 'Twice']],
  'restore-invoice': () => [[account.scope.tenant, '77', '--reason', 'Once']],
  undo: () => [[account.scope.tenant, commandId, '--reason', 'Wrong']],
  'erase-user': () => [[...buildUserArgs(), '--yes']],
  'erase-supplier': () => [[account.scope.tenant, account.scope.supplierId, '--yes']],
  'erase-tenant': () => [[account.scope.tenant, '--yes']],
  'rotate-signing-key': () => [['--leaked', '--yes']],
};

/** The preparations after which the commands change something. */
const preparations: Record<string, () => Promise<unknown>> = {
  'resume-company': () => runCommand('suspend-company', ...buildCompanyArgs(), '--yes'),
  'activate-user': () => runCommand('deactivate-user', ...buildUserArgs()),
  async 'erase-supplier'() {
    // More changes than one transaction can delete.
    const { client, tables } = portal.engine;
    const pk = buildHistoryPartition(account.scope, '77');
    const items = Array.from({ length: 100 }, (_, index) => ({ pk, sk: 10 + index }));
    await Promise.all(items.map((Item) => client.send(new PutCommand({ TableName: tables.Declarations, Item }))));
    await runCommand('suspend-company', ...buildCompanyArgs(), '--yes');
  },
  'erase-tenant': () => runCommand('suspend-company', ...buildCompanyArgs(), '--yes'),
  async undo() {
    await runCommand('import-invoices', writeInvoices(), '--tenant', account.scope.tenant);
    const { stdout } = await runCommand('audit', account.scope.tenant, '--json');
    commandId = (JSON.parse(stdout) as { entries: OperatorEntry[] }).entries[0]?.id ?? '';
  },
  'unlock-user': () => {
    const counter = { [`${buildFailureCounterName(Date.now())}_source`]: 1 };
    return changeRecord(portal.engine, account.keys.account, counter);
  },
  'restore-invoice': () => runCommand('withdraw-invoice', account.scope.tenant, '77', '--reason', 'Twice'),
  'revoke-key': () => {
    const key = { company_id: account.reference.companyId, key: `${randomUUID().slice(0, -4)}ffff` };
    const tenants = [{ tenant: account.scope.tenant, api_keys: [{ ...apiKey, ...key }] }];
    return runCommand('apply', writeInput('key.yaml', JSON.stringify({ tenants })));
  },
};

it.each(Object.keys(commands))(
  '%s --dry-run writes nothing, and prints the same as the command without it',
  async (name) => {
    await preparations[name]?.();
    const [args, code = 0] = commands[name]!();
    const dry = await runCommand(name, ...args, '--dry-run');
    expect(dry).toMatchObject({ code, written: [] });
    const real = await runCommand(name, ...args);
    expect(real.code).toBe(code);
    expect(normalizeLines(dry.stdout)).toEqual(normalizeLines(`${real.stdout}Dry run: nothing was written.\n`));
    if (name !== 'rotate-signing-key') expect(real.written).not.toEqual([]);
  },
);

const buildTenantArgs = () => [account.scope.tenant];
const buildInvoiceArgs = () => [account.scope.tenant, '77'];

/** The arguments of each command that only reads. */
const readingCommands: Record<string, () => string[]> = {
  'list-tenants': () => [],
  'list-users': buildTenantArgs,
  'list-keys': buildTenantArgs,
  'list-invoices': buildTenantArgs,
  'list-withdrawn': buildTenantArgs,
  export: buildTenantArgs,
  audit: buildTenantArgs,
  show: buildInvoiceArgs,
  history: buildInvoiceArgs,
  summary: () => [account.scope.tenant, '--month', '2026-03', '--repeated-numbers'],
  'export-declarations': () => [account.scope.tenant, ...SINCE_YESTERDAY],
  'find-request': () => ['absent', '--tenant', account.scope.tenant],
  changes: () => [account.scope.tenant, ...SINCE_YESTERDAY],
  doctor: () => [],
  verify: buildTenantArgs,
};

it('the commands above have --dry-run, and the other commands are those that only read', () => {
  const writing = listCommandsWithOption('--dry-run');
  expect(Object.keys(commands).toSorted()).toEqual(writing.toSorted());
  const reading = commandNames.filter((name) => !writing.includes(name));
  expect(Object.keys(readingCommands).toSorted()).toEqual(reading.toSorted());
});

it('--dry-run --json adds dry_run to the document, which contains no new key', async () => {
  const { stdout } = await runCommand('issue-key', ...buildCompanyArgs(), 'ERP', '--dry-run', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ dry_run: true });
  expect(stdout).not.toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
});

it.each(Object.keys(readingCommands))('%s writes nothing, and needs only the policy OperatorRead', async (name) => {
  const run = await runCommand(name, ...readingCommands[name]!());
  // No declaration has the id of the request.
  const code = name === 'find-request' ? 1 : 0;
  expect(run).toMatchObject({ code, written: [] });
});

it.each(policies)('$name allows no action on tables that its commands do not need', ({ name, statements }) => {
  const level = policies.findIndex((policy) => policy.name === name) + 1;
  const actions = [...recorded].filter(([command]) => countPolicies(command) === level).flatMap(([, list]) => list);
  const lines = statements.flatMap(({ actions: allowed, resources, condition }) =>
    allowed.flatMap((action) => resources.map((resource) => ({ actions: [action], resources: [resource], condition }))),
  );
  const unused = lines.flatMap((line) =>
    actions.some((call) => isPermitted(call, [line])) ? [] : [`${line.actions[0]} ${line.resources[0]}`],
  );
  const others: Record<string, string[]> = {
    // The local service has no stack and no backups.
    OperatorRead: [
      expect.stringMatching(/^cloudformation:DescribeStacks .+:stack\/SupplierPortalInvoices-dev\/\*$/),
      ...Object.keys(portal.engine.tables).map((table) => `dynamodb:DescribeContinuousBackups ${table}`),
    ],
    OperatorAdminister: ['lambda:InvokeFunction rotate-signing-key'],
  };
  expect(unused.toSorted()).toEqual((others[name] ?? []).toSorted());
});

it('OperatorTenant allows the commands for its own tenant, and nothing on others', () => {
  // These commands are for several tenants, or for the whole service.
  expect([...deniedCommands].toSorted()).toEqual(['apply', 'doctor', 'list-tenants', 'rotate-signing-key']);
  const actions = [...recorded.values()].flat();
  expect(actions.filter((action) => !isDenied(action, undefined))).toEqual([]);
  const allowedKeys = actions
    .filter((action) => !isDenied(action, 'demo.example'))
    .flatMap(({ context }) => context['dynamodb:LeadingKeys'] ?? ['none']);
  expect(allowedKeys.filter((key) => !key.startsWith('APIKEY#'))).toEqual([]);
});
