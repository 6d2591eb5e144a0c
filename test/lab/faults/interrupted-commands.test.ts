import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiKey, company, supplier, user } from '../../support/ops/apply-lists.ts';
import { createErasableTenant, type ErasableTenant } from '../../support/ops/erasable-tenant.ts';
import { runCli } from '../../support/ops/run-ops.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
const WRITE = /^(Put|Update|Delete|TransactWrite|BatchWrite|Execute|BatchExecute)/;
const REASON = ['--reason', 'A test'];

/** Runs a command. Only set-password reads the input. */
const runCommand = (args: readonly string[]) => {
  const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.proxy.engine.endpoint };
  return runCli([...args, '--local'], { env, input: 'Another-secret-77\n' });
};

/** Prepares the tenant of a command. Returns the arguments of the command. */
type PrepareCommand = (tenant: ErasableTenant) => Promise<readonly string[]> | readonly string[];

/**
 * Commands with data for all kinds of their writes. A second run of issue-key issues another key. revoke-key changes one
 * item, and unlock-user one attribute. `property/crashed-rotations` proves rotate-signing-key.
 */
const commands: Readonly<Record<string, PrepareCommand>> = {
  apply: async ({ tenant }) => {
    const changedUser = { ...user, user_id: '200', email: 'new@y.example', username: 'eva', supplier_id: '6001' };
    const file = {
      tenant,
      companies: [
        { ...company, name: 'Changed' },
        { ...company, company_id: '2' },
      ],
      suppliers: [{ ...supplier, supplier_id: '7001' }],
      users: [changedUser, { ...user, user_id: '300', email: 'leo@y.example', username: 'leo', supplier_id: '7001' }],
      api_keys: [{ ...apiKey, name: 'Other', company_id: '2' }],
    };
    return ['apply', await writeLines({ tenants: [file] })];
  },
  'import-invoices': prepareImport,
  decide: async ({ tenant, run }) => {
    const { stdout } = await run('list-invoices', '--json');
    const { invoices } = JSON.parse(stdout) as { invoices: { invoice_id: string }[] };
    const rows = invoices.map((row) => ({ ...row, decision: row.invoice_id === '7' ? 'REC' : 'REV' }));
    return ['decide', await writeLines(...rows), '--tenant', tenant, '--format', 'ndjson', ...REASON];
  },
  undo: async (tenant) => {
    await runCommand(await prepareImport(tenant));
    const { stdout } = await tenant.run('audit', '--json', '--limit', '1');
    const { entries } = JSON.parse(stdout) as { entries: { id: string }[] };
    return ['undo', tenant.tenant, entries[0]!.id, ...REASON];
  },
  'resume-company': ({ tenant }) => ['resume-company', tenant, '1'],
  'activate-user': ({ tenant }) => ['activate-user', tenant, '100'],
  'deactivate-user': ({ tenant }) => ['deactivate-user', tenant, '200'],
  'end-sessions': ({ tenant }) => ['end-sessions', tenant, '200'],
  'set-password': ({ tenant }) => ['set-password', tenant, '200'],
  'withdraw-invoice': ({ tenant }) => ['withdraw-invoice', tenant, '70', '--supplier', '6001', ...REASON],
  'restore-invoice': ({ tenant }) => ['restore-invoice', tenant, '70', '--supplier', '5001', ...REASON],
  'set-state': ({ tenant }) => ['set-state', tenant, '7', 'REC', '--supplier', '6001', ...REASON, '--revision', '1'],
  'erase-user': ({ tenant }) => ['erase-user', tenant, '200', '--yes'],
  'erase-supplier': ({ tenant }) => ['erase-supplier', tenant, '5001', '--yes'],
  'erase-tenant': ({ tenant }) => ['erase-tenant', tenant, '--yes'],
};

it.each(Object.entries(commands))(
  '%s that is killed before any of its writes leaves consistent invoices, and its second run completes it',
  { tags: 'long' },
  async (_, prepare) => {
    const complete = await runWithWrites(prepare, Number.POSITIVE_INFINITY);
    expect(complete.writes).toBeGreaterThan(1);
    for (let allowedWrites = 0; allowedWrites < complete.writes; allowedWrites++) {
      const interrupted = await runWithWrites(prepare, allowedWrites);
      expect(interrupted.writes).toBe(allowedWrites);
      expect(interrupted.items).toEqual(complete.items);
      // 0: no invoice differs from its history. 2: the tenant is erased.
      expect(interrupted.verifyCode).toBe(interrupted.isErased ? 2 : 0);
    }
  },
);

/**
 * Runs a command on a new tenant, of which only the first writes reach the engine, as if its process were then killed.
 * Runs the command again, and returns the final data of the tenant.
 */
async function runWithWrites(prepare: PrepareCommand, allowedWrites: number) {
  const { proxy } = portal;
  const tenant = await createErasableTenant(portal);
  const args = await prepare(tenant);
  let writes = 0;
  proxy.onCall = (operation) => {
    if (!WRITE.test(operation)) return;
    if (writes === allowedWrites) proxy.injectFault({ how: 'close-connection' });
    else writes++;
  };
  await runCommand(args);
  proxy.onCall = () => undefined;
  proxy.reset();
  const { code: verifyCode, stderr } = await tenant.run('verify');
  const isErased = stderr.includes('does not exist');
  await runCommand(args);
  const items = await tenant.readItems(tenant.tenant);
  return { writes, verifyCode, isErased, items: toComparableTexts(items, tenant.tenant) };
}

// Times, ids of commands and declarations, keys and password hashes differ in each run.
const VARYING_VALUE =
  /\d{4}-\d\d-\d\dT[\d:.]+Z|(?<="changed_ms":\{"value":")\d+|[\da-f-]{36,}|\d{19}|\$argon2id\$[^"]+/g;

/** Converts a value to JSON with sorted property names. The engine returns attributes in any order. */
const stringifySorted = (value: object) =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/** Converts stored items to texts that are equal for two tenants with the same data. */
function toComparableTexts(items: readonly object[], tenant: string): string[] {
  const texts = items.map((item) => stringifySorted(item));
  return texts.map((text) => text.replaceAll(tenant, 'TENANT').replaceAll(VARYING_VALUE, 'VALUE')).toSorted();
}

async function prepareImport({ tenant }: ErasableTenant): Promise<readonly string[]> {
  const records = [
    { supplier_id: '5001', invoice_id: '7', account_name: 'Changed' },
    { supplier_id: '5001', invoice_id: '8', service_id: '5', system_amount: 10 },
    { supplier_id: '6001', invoice_id: '7', state_code: 'REC', reason: 'Twice' },
    { supplier_id: '6001', invoice_id: '70', declared_amount: 12 },
  ];
  return ['import-invoices', await writeLines(...records), '--tenant', tenant, '--format', 'ndjson'];
}

/** Writes a file with one JSON document in each line. Returns its path. */
async function writeLines(...documents: readonly object[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'interrupted-')), 'file.json');
  await writeFile(file, documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  return file;
}
