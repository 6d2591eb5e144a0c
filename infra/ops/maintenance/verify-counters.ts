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
  summary: 'Compare the data of lists (rows, day counters) with the invoices; the service can be in use meanwhile.',
  example: 'verify-counters demo.example --repair --local',
})
  .argument('[tenant]', 'the tenant (default: all tenants)')
  .option('--supplier <supplier>', 'verify only this supplier of the tenant')
  .option('--repair', 'correct the rows and counters that differ')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, { supplier, repair = false, ...options }) =>
    runCommand(options, async ({ ports, output, confirm, dryRun }) => {
      if (tenant === undefined && supplier !== undefined) throw new OperatorError('--supplier requires a tenant.');
      if (dryRun && !repair) throw new OperatorError('--dry-run requires --repair. Without it, nothing is written.');
      const tenants = tenant === undefined ? await readTenantNames(ports) : [tenant];
      const scopes: SupplierScope[] = [];
      for (const name of tenants) {
        const suppliers = await findSuppliers(ports, name, supplier);
        scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
      }
      if (repair) {
        const ofTenant = supplier === undefined ? formatCount(scopes.length, 'supplier') : `supplier ${supplier}`;
        const all = `all ${formatCount(tenants.length, 'tenant')}`;
        const subject = tenant === undefined ? all : `${ofTenant} of ${tenant}`;
        const effect = 'Lists and totals are then rebuilt from the invoices; their previous contents are not kept.';
        await confirm(async () => `Repair the rows and counters of ${subject}? ${effect}`);
      }

      const [differences, busy]: [object[], object[]] = [[], []];
      let invoices = 0;
      await forEachConcurrent(scopes, PARALLEL_SUPPLIERS, async (scope) => {
        const counted = await verifySupplier(ports.lists, scope, repair && !dryRun, (outcome, text, finding) => {
          const line = `${outcome.padEnd(8)}  supplier ${scope.supplierId} of ${scope.tenant}, ${text}`;
          const document = { tenant: scope.tenant, supplier_id: scope.supplierId, ...finding };
          if (outcome === 'busy') {
            busy.push(document);
            output.error(`${line}: not verified, because it changed during every attempt; run the command again`);
          } else {
            differences.push(document);
            output.line(line);
          }
        });
        invoices += counted;
      });
      const repaired = dryRun || !repair ? 0 : differences.length;
      output.line(
        `${scopes.length} suppliers, ${invoices} invoices counted, ${differences.length} differences, ${repaired} repaired`,
      );
      output.document({ suppliers: scopes.length, invoices, repaired, differences, busy });
      const hasDifferences = !dryRun && repaired < differences.length;
      return busy.length > 0 || hasDifferences ? EXIT.rejected : EXIT.done;
    }),
  );

/** Receives each result of a verification: its text for people, and its properties for scripts. */
type Report = (outcome: 'repaired' | 'differs' | 'busy', text: string, finding: object) => void;

// A name without a state is that of a day's fingerprint.
const DAY_DIGITS = 2;

/**
 * Compares the rows and the day counters of a supplier with its invoices, and repairs them on request. Returns the
 * number of its invoices. The rows are first, because the invoices of a month are counted by their rows.
 */
export async function verifySupplier(
  lists: AdminPorts['lists'],
  scope: SupplierScope,
  repair: boolean,
  report: Report,
): Promise<number> {
  const outcome = repair ? 'repaired' : 'differs';
  const months = new Set(await lists.months(scope));
  // A required row and an equal stored row remove each other.
  const unmatched = new Map<string, Fingerprint>();
  async function match(pages: ReturnType<typeof lists.storedRows>) {
    for await (const rows of pages) {
      for (const { sk, fingerprint } of rows) {
        months.add(toMonth(parseRowKey(sk).sortDate));
        if (unmatched.get(sk) === fingerprint) unmatched.delete(sk);
        else unmatched.set(sk, fingerprint);
      }
    }
  }
  await match(lists.requiredRows(scope));
  for (const month of months) await match(lists.storedRows(scope, month));

  const distrusted = new Set<string>();
  // One worker verifies all rows of an invoice, because parallel repairs of one invoice conflict.
  const byInvoice = [...Map.groupBy(unmatched.keys(), (sk) => parseRowKey(sk).invoiceId)];
  await forEachConcurrent(byInvoice, PARALLEL_INVOICES, async ([invoiceId, sortKeys]) => {
    for (const sk of sortKeys) {
      const wrong = await lists.verifyRow(scope, sk, repair);
      if (!wrong) continue;
      if (wrong === 'busy' || !repair) distrusted.add(invoiceId);
      if (wrong === 'busy') report('busy', `invoice ${invoiceId}`, { kind: 'busy', invoice_id: invoiceId });
      else {
        const text = `invoice ${invoiceId}: ${wrong.fault} row of ${wrong.date} in ${wrong.list}`;
        report(outcome, text, { kind: 'row', invoice_id: invoiceId, ...wrong, repaired: repair });
      }
    }
  });

  let invoices = 0;
  for (const month of [...months].toSorted()) {
    const verified = await lists.verifyMonth(scope, month, distrusted, repair);
    if (verified === 'busy') {
      report('busy', month, { kind: 'busy', month });
      continue;
    }
    for (const { name, counted, stored } of verified.differences) {
      const [day, state_code] = [`${month}-${name.slice(0, DAY_DIGITS)}`, name.slice(DAY_DIGITS)];
      if (state_code) {
        const finding = { kind: 'counter', day, state_code, counted, stored, repaired: repair };
        report(outcome, `${day} ${state_code}: ${counted} counted, ${stored} stored`, finding);
      } else {
        const text = `${day}: the fingerprint differs from that of the invoices`;
        report(outcome, text, { kind: 'fingerprint', day, repaired: repair });
      }
    }
    for (const [name, count] of verified.counts) if (name.length > DAY_DIGITS) invoices += count;
  }
  return invoices;
}
