import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';
import type { RevisionKey } from '../../../lib/tables/invoice-table.ts';
import { defineCommand, dryRunOption, EXIT, formatCount, runCommand, yesOption } from '../command.ts';
import { DirectorySnapshot } from '../directory/change-directory.ts';
import { findSuppliers, readTenantNames } from '../directory/read-directory.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn } from '../tables/directory-records.ts';
import { verifySupplier } from './verify-counters.ts';

const ADVICE =
  'For rows, counters and fingerprints, run verify-counters --repair; for companies and suppliers, apply; for the ' +
  'signing key, rotate-signing-key. For other differences, restore Invoices and Declarations again, both to the same second.';

export const restoreCheckCommand = defineCommand('restore-check', {
  summary: 'Compare the tables with each other after a restore, before anyone uses the service again.',
  example: 'restore-check demo.example --local',
})
  .argument('[tenant]', 'the tenant (default: all tenants)')
  .option('--new-epoch', 'reject earlier cursors of export-declarations; the last step of a restore')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, { newEpoch = false, ...options }) =>
    runCommand(options, async ({ ports, output, confirm, dryRun }) => {
      if (dryRun && !newEpoch)
        throw new OperatorError('--dry-run requires --new-epoch. Otherwise, nothing is written.');
      const tenants = tenant === undefined ? await readTenantNames(ports) : [tenant];
      if (tenants.length === 0) throw new OperatorError('The table Directory has no tenant. Restore it first.');
      const differences: object[] = [];
      for (const name of tenants) {
        for await (const difference of findDifferences(ports, name)) {
          differences.push({ tenant: name, difference });
          output.line(`differs   ${name}, ${difference}`);
        }
      }
      output.line(`${formatCount(tenants.length, 'tenant')}, ${formatCount(differences.length, 'difference')}`);
      if (differences.length > 0) output.error(ADVICE);
      if (newEpoch) {
        await confirm(async () => `Reject all earlier cursors of export-declarations of ${tenants.join(', ')}?`);
        for (const name of tenants) await ports.declarationLog.startEpoch(name, newUuid());
        output.line(`Earlier cursors of ${tenants.join(', ')} are now rejected.`);
      }
      output.document({ tenants, differences, new_epoch: newEpoch });
      return differences.length > 0 ? EXIT.rejected : EXIT.done;
    }),
  );

/** Yields a description of each difference between the tables of a tenant. */
async function* findDifferences(ports: AdminPorts, tenant: string): AsyncGenerator<string, void> {
  const publicKeys = await ports.publicKeys();
  if (!publicKeys.some(({ expiresAt }) => expiresAt === null)) yield 'no public signing key is in use';
  yield* compareDirectory(ports, tenant);
  for (const { supplierId } of await findSuppliers(ports, tenant)) {
    const scope = { tenant, supplierId };
    yield* compareHistories(ports, scope);
    const wrongLists: string[] = [];
    await verifySupplier(ports.lists, scope, null, (text) => wrongLists.push(`supplier ${supplierId}, ${text}`));
    yield* wrongLists;
  }
  const latestNumbers = await ports.declarationLog.readLatestNumbers(tenant);
  for (const [shard, number] of latestNumbers.entries()) if (number > 0) yield* compareLog(ports, tenant, shard);
}

/** Finds the suppliers, users and API keys whose company or supplier does not exist. */
async function* compareDirectory({ records }: AdminPorts, tenant: string) {
  const directory = new DirectorySnapshot(records);
  const keys = keysIn(tenant);
  for (const kind of ['supplier', 'user', 'api_key'] as const) {
    for await (const page of records.pages(kind, tenant)) {
      // The other kinds have a part of the fields of a user, and API keys also have `last4`.
      for (const record of page as readonly (DirectoryRecord<'user'> & { readonly last4?: string })[]) {
        const { company_id: companyId, supplier_id: supplierId, user_id: userId, last4 } = record;
        const owners = supplierId ? [keys.company(companyId), keys.supplier(supplierId)] : [keys.company(companyId)];
        for (const owner of owners) {
          if (await directory.get(owner)) continue;
          yield `${kind} ${userId ?? supplierId ?? last4}: the ${owner.kind} ${owner.ids[1]} does not exist`;
        }
      }
    }
  }
}

/** Finds the declarations that are missing in the history, and the state changes that are newer than their invoices. */
async function* compareHistories(ports: AdminPorts, scope: SupplierScope) {
  for await (const keys of ports.revisionKeys(scope)) {
    const toText = ({ invoiceId, revision }: RevisionKey) =>
      `invoice ${invoiceId}: no declaration with revision ${revision}`;
    const found = new Set((await ports.declarations.readRevisions(scope, keys)).map(toText));
    for (const text of keys.map(toText)) if (!found.has(text)) yield `supplier ${scope.supplierId}, ${text}`;
  }
  for await (const items of ports.historyItems(scope, false)) {
    const changes = items.map(({ sk, version }) => {
      // For example, the sort key is STATE#9001#0000000002.
      return { invoiceId: String(sk).split('#')[1] ?? '', version: toInteger(version as StoredNumber) };
    });
    yield* findNewer(ports, scope, changes);
  }
}

/** Finds the declarations (with a revision) and state changes (with a version) that are newer than their invoices. */
async function* findNewer(
  { invoices }: AdminPorts,
  scope: SupplierScope,
  entries: readonly { readonly invoiceId: string; readonly revision?: number; readonly version?: number }[],
) {
  const ids = entries.map(({ invoiceId }) => invoiceId);
  const stored = new Map([...(await invoices.getMany(scope, ids)), ...(await invoices.getWithdrawn(scope, ids))]);
  for (const { invoiceId, revision = 0, version = 0 } of entries) {
    const { declaration, version: current = 0 } = stored.get(invoiceId) ?? {};
    const name = `supplier ${scope.supplierId}, invoice ${invoiceId}`;
    const currentRevision = declaration?.revision ?? 0;
    if (revision > currentRevision) yield `${name}: revision ${currentRevision}, in the log ${revision}`;
    if (version > current) yield `${name}: version ${current}, in the state history ${version}`;
  }
}

/** Finds the gaps of a shard of the log, and its declarations that do not exist or are newer than their invoices. */
async function* compareLog(ports: AdminPorts, tenant: string, shard: number) {
  let previous = 0;
  for await (const page of ports.declarationLog.readStored(tenant, shard)) {
    for (const { number, entry } of page) {
      if (number !== previous + 1) yield `log entry ${shard}#${number}: the previous entry is ${shard}#${previous}`;
      if (!entry) yield `log entry ${shard}#${number}: a declaration does not exist`;
      previous = number;
    }
    const declared = page.flatMap(({ entry }) => entry?.declarations ?? []);
    for (const [supplierId, group] of Map.groupBy(declared, ({ scope }) => scope.supplierId)) {
      const revisions = group.map(({ revision }) => revision);
      yield* findNewer(ports, { tenant, supplierId }, revisions);
    }
  }
}
