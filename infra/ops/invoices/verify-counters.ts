import { findSuppliers, readTenantNames } from '../directory/read-directory.ts';
import { OperatorError } from '../errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { defineCommand, dryRunOption, EXIT, formatCount, runCommand, yesOption } from '../command.ts';
import { isDeepStrictEqual } from 'node:util';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { type AttemptLimits, limitedAttempts } from '../../../lib/runtime/attempts.ts';
import type { Fingerprint } from '../../../lib/runtime/fingerprints.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import type { AuditedRow } from '../tables/audits.ts';

/** `verify-counters`: compares rows and day counters with the invoices, and repairs the differences on request. */
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
      if (tenant === undefined && supplier !== undefined) {
        throw new OperatorError('--supplier requires a tenant.');
      }
      if (dryRun && !repair) throw new OperatorError('--dry-run requires --repair. Without it, nothing is written.');
      if (repair) await confirm(() => buildQuestion(ports, tenant, supplier));

      const [differences, busy]: [object[], object[]] = [[], []];
      let repaired = 0;
      const { suppliers, invoices } = await verifyCounters(
        ports,
        { tenant, supplier },
        {
          repair: repair && !dryRun,
          report({ tenant: owner, supplierId }, finding) {
            const text = `supplier ${supplierId} of ${owner}, ${describeFinding(finding)}`;
            const document = { tenant: owner, supplier_id: supplierId, ...finding };
            if (finding.kind === 'busy') {
              busy.push(document);
              return output.error(`busy      ${text}`);
            }
            differences.push(document);
            if (finding.repaired) repaired += 1;
            output.line(`${finding.repaired ? 'repaired' : 'differs '}  ${text}`);
          },
        },
      );
      output.line(
        `${suppliers} suppliers, ${invoices} invoices counted, ${differences.length} differences, ${repaired} repaired`,
      );
      output.document({ suppliers, invoices, repaired, differences, busy });
      const hasDifferences = !dryRun && repaired < differences.length;
      return busy.length > 0 || hasDifferences ? EXIT.rejected : EXIT.done;
    }),
  );

async function buildQuestion(ports: AdminPorts, tenant?: string, supplier?: string): Promise<string> {
  const effect = 'Lists and totals are then rebuilt from the invoices; their previous contents are not kept.';
  const describe = (scope: string) => `Repair the rows and counters of ${scope}? ${effect}`;
  if (tenant === undefined) return describe(`all ${formatCount((await readTenantNames(ports)).length, 'tenant')}`);
  const suppliers = await findSuppliers(ports, tenant, supplier);
  const named = supplier === undefined ? formatCount(suppliers.length, 'supplier') : `supplier ${supplier}`;
  return describe(`${named} of ${tenant}`);
}

function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'busy': {
      const subject = 'month' in finding ? finding.month : `invoice ${finding.invoice_id}`;
      return `${subject}: not verified, because it changed during every attempt; run the command again`;
    }
    case 'row':
      return `invoice ${finding.invoice_id}: ${finding.fault} row of ${finding.date} in ${finding.list}`;
    case 'fingerprint':
      return `${finding.day}: the fingerprint differs from that of the invoices`;
    case 'counter':
      return `${finding.day} ${finding.state_code}: ${finding.counted} counted, ${finding.stored} stored`;
  }
}

/** A difference from the invoices, by the names of the document for scripts. */
type Difference = { readonly repaired: boolean } & (
  | { readonly kind: 'row'; readonly invoice_id: string; fault: string; readonly list: string; readonly date: string }
  | { readonly kind: 'counter'; readonly day: string; state_code: string; counted: number; stored: number }
  | { readonly kind: 'fingerprint'; readonly day: string }
);

/** An invoice or a month (yyyy-mm) that could not be verified, because it changed during every attempt. */
type Busy = { readonly kind: 'busy' } & ({ readonly invoice_id: string } | { readonly month: string });

/** A result of the verification of a supplier. */
export type Finding = Difference | Busy;

type RowAudit = AdminPorts['rows'];

interface VerifyOptions {
  readonly repair: boolean;
  /** Receives each finding as soon as it is certain. */
  readonly report: (finding: Finding) => void;
}

const PARALLEL_SUPPLIERS = 4;
const PARALLEL_INVOICES = 8;
/** The attempts to verify a row or a month that other writers change at the same time. */
const RETRIES: AttemptLimits = { most: 12, firstMs: 10, longestMs: 1000 };

/**
 * Compares the rows and day counters of a supplier, or by default of all suppliers and all tenants, with the invoices.
 * Returns the number of suppliers, and of their invoices.
 */
export async function verifyCounters(
  ports: Pick<AdminPorts, 'records' | 'rows' | 'counters'>,
  { tenant, supplier }: { tenant: string | undefined; supplier: string | undefined },
  { repair, report }: { repair: boolean; report: (scope: SupplierScope, finding: Finding) => void },
): Promise<{ suppliers: number; invoices: number }> {
  const scopes: SupplierScope[] = [];
  for (const name of tenant === undefined ? await readTenantNames(ports) : [tenant]) {
    const suppliers = await findSuppliers(ports, name, supplier);
    scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
  }
  let invoices = 0;
  await forEachConcurrent(scopes, PARALLEL_SUPPLIERS, async (scope) => {
    const verified = await verifySupplier(ports, scope, { repair, report: (finding) => report(scope, finding) });
    invoices += verified;
  });
  return { suppliers: scopes.length, invoices };
}

/** Verifies a supplier, the rows first, because counting reads the rows. Returns the number of its invoices. */
export async function verifySupplier(
  { rows, counters }: Pick<AdminPorts, 'rows' | 'counters'>,
  scope: SupplierScope,
  options: VerifyOptions,
): Promise<number> {
  const { months, distrusted } = await verifyRows(rows, scope, await counters.months(scope), options);
  let invoices = 0;
  for (const month of months) invoices += await verifyMonth(counters, scope, month, { ...options, distrusted });
  return invoices;
}

/**
 * Compares the rows of a supplier with its invoices. Returns the months (yyyy-mm) of its invoices and counters, oldest
 * first, and the ids of the invoices whose rows are wrong or could not be verified.
 */
async function verifyRows(
  audit: RowAudit,
  scope: SupplierScope,
  countedMonths: readonly string[],
  { repair, report }: VerifyOptions,
) {
  const months = new Set(countedMonths);
  async function* readAllRows() {
    for await (const rows of audit.readRequiredRows(scope)) {
      for (const { month } of rows) months.add(month);
      yield rows;
    }
    for (const month of months) yield* audit.readStoredRows(scope, month);
  }

  // A required row and an equal stored row remove each other. Only fingerprints are kept, because they take less memory.
  const unmatched = new Set<Fingerprint>();
  for await (const rows of readAllRows()) {
    for (const { fingerprint } of rows) if (!unmatched.delete(fingerprint)) unmatched.add(fingerprint);
  }
  const suspects = new Map<string, AuditedRow>();
  for await (const rows of unmatched.size > 0 ? readAllRows() : []) {
    for (const row of rows) if (unmatched.has(row.fingerprint)) suspects.set(`${row.pk}\n${row.sk}`, row);
  }

  const distrusted = new Set<string>();
  // One worker verifies all rows of an invoice, because parallel repairs of one invoice conflict.
  const byInvoice = [...Map.groupBy(suspects.values(), ({ invoiceId }) => invoiceId)];
  await forEachConcurrent(byInvoice, PARALLEL_INVOICES, async ([invoiceId, rows]) => {
    for (const row of rows) {
      const finding = await verifyRow(audit, scope, row, repair);
      if (!finding) continue;
      if (finding.kind === 'busy' || !finding.repaired) distrusted.add(invoiceId);
      report(finding);
    }
  });
  return { months: [...months].toSorted(), distrusted };
}

/** Compares one row exactly while the service writes, and repairs it on request; returns null if it is right. */
async function verifyRow(audit: RowAudit, scope: SupplierScope, row: AuditedRow, repair: boolean) {
  for await (const _ of limitedAttempts(RETRIES)) {
    const wrong = await audit.verify(scope, row, repair);
    if (wrong !== 'busy') return wrong && ({ kind: 'row', ...wrong, repaired: repair } as const);
  }
  return { kind: 'busy', invoice_id: row.invoiceId } as const;
}

// A name without a state is that of a day's fingerprint.
const DAY_DIGITS = 2;

/**
 * Compares the counters of a month with its invoices, exactly while the service writes, and corrects them on request.
 * Counts the rows, or the invoices themselves if their ids are in `distrusted`. Returns the number of invoices.
 */
export async function verifyMonth(
  audit: Pick<AdminPorts['counters'], 'read' | 'recount' | 'correct'>,
  scope: SupplierScope,
  month: string,
  { repair, report, distrusted }: VerifyOptions & { readonly distrusted: ReadonlySet<string> },
): Promise<number> {
  let previous: unknown;
  for await (const _ of limitedAttempts(RETRIES)) {
    const stored = await audit.read(scope, month);
    const counted = await audit.recount(scope, month, distrusted);
    const differences = [...new Set([...counted.keys(), ...stored.sums.keys()])]
      .toSorted()
      .map((name) => ({ name, counted: counted.get(name) ?? 0, stored: stored.sums.get(name) ?? 0 }))
      .filter((one) => one.counted !== one.stored);
    const isWrong = differences.length > 0;
    // Another writer changes rows and counters one by one. A difference is certain if it is found twice without a
    // change of the counters between. Equal sums are certain at once, because they contain the fingerprints.
    const isCertain = !isWrong || isDeepStrictEqual({ stored, counted }, previous);
    previous = { stored, counted };
    if (!isCertain) continue;
    const corrections = new Map(differences.map((one) => [one.name, one.counted - one.stored]));
    if (isWrong && repair && !(await audit.correct(scope, month, stored, corrections))) continue;

    for (const { name, ...numbers } of differences) {
      const [day, state] = [`${month}-${name.slice(0, DAY_DIGITS)}`, name.slice(DAY_DIGITS)];
      if (state) report({ kind: 'counter', day, state_code: state, ...numbers, repaired: repair });
      else report({ kind: 'fingerprint', day, repaired: repair });
    }
    return [...counted].reduce((sum, [name, count]) => (name.length > DAY_DIGITS ? sum + count : sum), 0);
  }
  report({ kind: 'busy', month });
  return 0;
}
