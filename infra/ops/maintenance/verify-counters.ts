import { findSuppliers, readTenantNames } from '../directory/read-directory.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { formatCount, defineCommand, dryRunOption, EXIT, runCommand, yesOption } from '../command.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { toMonth } from '../../../lib/domain/list-entry.ts';
import type { Fingerprint } from '../../../lib/runtime/fingerprints.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { parseRowKey } from '../../../lib/tables/keys.ts';

const PARALLEL_SUPPLIERS = 4;
const PARALLEL_INVOICES = 8;

export const verifyCountersCommand = defineCommand('verify-counters', {
  summary: 'Compare the data of lists (rows and day counters) with the invoices. The service can be in use meanwhile.',
  example: 'verify-counters demo.example --repair --local',
})
  .argument('[tenant]', 'the tenant (default: all tenants)')
  .option('--supplier <supplier>', 'verify only this supplier of the tenant')
  .option('--repair', 'correct the rows and counters that differ')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, { supplier, repair: shouldRepair = false, ...options }) =>
    runCommand(options, async ({ ports, output, confirm, dryRun }) => {
      if (tenant === undefined && supplier !== undefined) throw new OperatorError('--supplier requires a tenant.');
      if (dryRun && !shouldRepair) {
        throw new OperatorError('--dry-run requires --repair. Without it, nothing is written.');
      }
      const { scopes, subject } = await findScopes(ports, tenant, supplier);
      if (shouldRepair) {
        const effect = 'Lists and totals are then rebuilt from the invoices; their previous contents are not kept.';
        await confirm(async () => `Repair the rows and counters of ${subject}? ${effect}`);
      }

      const repair = shouldRepair && !dryRun ? ports.lists.repairItems : null;
      const outcome = repair ? 'repaired' : 'differs';
      const differences: object[] = [];
      const busy: object[] = [];
      let invoices = 0;
      await forEachConcurrent(scopes, PARALLEL_SUPPLIERS, async (scope) => {
        const ids = { tenant: scope.tenant, supplier_id: scope.supplierId };
        const supplierText = `supplier ${scope.supplierId} of ${scope.tenant}`;
        const invoiceCount = await verifySupplier(ports.lists, scope, repair, (text, finding) => {
          if (finding.kind === 'busy') {
            busy.push({ ...ids, ...finding });
            const advice = 'not verified, because it changed during every attempt; run the command again';
            output.error(`busy      ${supplierText}, ${text}: ${advice}`);
          } else {
            differences.push({ ...ids, ...finding, repaired: repair !== null });
            output.line(`${outcome.padEnd(8)}  ${supplierText}, ${text}`);
          }
        });
        // Added after the wait, because suppliers are verified in parallel.
        invoices += invoiceCount;
      });
      const repaired = repair ? differences.length : 0;
      const counts = `${scopes.length} suppliers, ${invoices} invoices counted`;
      output.line(`${counts}, ${differences.length} differences, ${repaired} repaired`);
      output.document({ suppliers: scopes.length, invoices, repaired, differences, busy });
      const hasUnrepaired = !dryRun && differences.length > repaired;
      return busy.length > 0 || hasUnrepaired ? EXIT.rejected : EXIT.done;
    }),
  );

/** Finds the suppliers to verify, and describes them: `all 3 tenants`, `12 suppliers of demo.example`. */
async function findScopes(ports: AdminPorts, tenant: string | undefined, supplier: string | undefined) {
  const tenants = tenant === undefined ? await readTenantNames(ports) : [tenant];
  const scopes: SupplierScope[] = [];
  for (const name of tenants) {
    const suppliers = await findSuppliers(ports, name, supplier);
    scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
  }
  if (tenant === undefined) return { scopes, subject: `all ${formatCount(tenants.length, 'tenant')}` };
  const suppliers = supplier === undefined ? formatCount(scopes.length, 'supplier') : `supplier ${supplier}`;
  return { scopes, subject: `${suppliers} of ${tenant}` };
}

/** A difference, or an invoice or month that is `busy`: it changed during every attempt to verify it. */
interface Finding extends Readonly<Record<string, unknown>> {
  readonly kind: 'row' | 'counter' | 'fingerprint' | 'busy';
}

/**
 * Compares the rows and the day counters of a supplier with its invoices, and repairs them with `repair`. Returns the
 * number of its invoices. Verifies the rows first, because the rows show the invoices of a month.
 */
export async function verifySupplier(
  lists: AdminPorts['lists'],
  scope: SupplierScope,
  repair: AdminPorts['lists']['repairItems'] | null,
  report: (text: string, finding: Finding) => void,
): Promise<number> {
  const { months, sortKeys } = await findWrongRows(lists, scope);
  // The invoices whose rows are wrong cannot be counted by their rows.
  const distrusted = new Set<string>();
  // One worker verifies all rows of an invoice, because parallel repairs of one invoice conflict.
  const byInvoice = [...Map.groupBy(sortKeys, (sk) => parseRowKey(sk).invoiceId)];
  await forEachConcurrent(byInvoice, PARALLEL_INVOICES, async ([invoiceId, keysOfInvoice]) => {
    for (const sk of keysOfInvoice) {
      const result = await lists.verifyRow(scope, sk, repair);
      if (!result) continue;
      if (result === 'busy' || !repair) distrusted.add(invoiceId);
      if (result === 'busy') {
        report(`invoice ${invoiceId}`, { kind: 'busy', invoice_id: invoiceId });
        continue;
      }
      const text = `invoice ${invoiceId}: ${result.fault} row of ${result.date} in ${result.list}`;
      report(text, { kind: 'row', invoice_id: invoiceId, ...result });
    }
  });

  let invoices = 0;
  for (const month of [...months].toSorted()) {
    const result = await lists.verifyMonth(scope, month, distrusted, repair);
    if (result === 'busy') {
      report(month, { kind: 'busy', month });
      continue;
    }
    for (const { name, counted, stored } of result.differences) {
      const { day, state } = parseCounterName(name);
      const date = `${month}-${day}`;
      if (state) {
        const text = `${date} ${state}: ${counted} counted, ${stored} stored`;
        report(text, { kind: 'counter', day: date, state_code: state, counted, stored });
      } else {
        report(`${date}: the fingerprint differs from that of the invoices`, { kind: 'fingerprint', day: date });
      }
    }
    for (const [name, count] of result.counts) if (parseCounterName(name).state) invoices += count;
  }
  return invoices;
}

/** Finds the months of the rows of a supplier, and the sort keys of rows that differ from those of its invoices. */
async function findWrongRows(lists: AdminPorts['lists'], scope: SupplierScope) {
  const months = new Set(await lists.months(scope));
  // A required row and an equal stored row remove each other.
  const unmatched = new Map<string, Fingerprint>();
  async function matchRows(pages: ReturnType<typeof lists.storedRows>) {
    for await (const rows of pages) {
      for (const { sk, fingerprint } of rows) {
        months.add(toMonth(parseRowKey(sk).sortDate));
        if (unmatched.get(sk) === fingerprint) unmatched.delete(sk);
        else unmatched.set(sk, fingerprint);
      }
    }
  }
  await matchRows(lists.requiredRows(scope));
  // The loop also visits a month that matchRows adds.
  for (const month of months) await matchRows(lists.storedRows(scope, month));
  return { months, sortKeys: unmatched.keys() };
}

/** Parses the name of a counter: `07PEN` counts the invoices of the 7th in state PEN, `07` is their fingerprint. */
const parseCounterName = (name: string) => ({ day: name.slice(0, 2), state: name.slice(2) });
