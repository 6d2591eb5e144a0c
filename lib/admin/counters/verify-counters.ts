import { isDeepStrictEqual } from 'node:util';
import type { SupplierScope } from '../../domain/invoice.ts';
import { monthOf } from '../../domain/list-entry.ts';
import { type AttemptLimits, limitedAttempts } from '../../runtime/attempts.ts';
import { addFingerprints, type Fingerprint, NO_FINGERPRINT, subtractFingerprints } from '../../runtime/fingerprints.ts';
import { inPool } from '../../runtime/pool.ts';
import { findSuppliers } from '../directory/find-suppliers.ts';
import { readTenantNames } from '../directory/lists.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';
import type { AuditedRow, CounterAudit, MonthCounts, RowAudit, WrongRow } from '../../storage/audit/audits.ts';

/** Whose counters: of all tenants unless one is named, and of all its suppliers unless one is. */
export interface CountersNamed {
  readonly tenant: string | undefined;
  readonly supplier: string | undefined;
}

const PARALLEL_SUPPLIERS = 4;

/**
 * Compares rows and day counters with the invoices; `report` hears of everything as soon as it is found. Gives how many
 * suppliers were verified, and how many invoices were counted.
 */
export async function verifyCounters(
  ports: Pick<AdminPorts, 'records' | 'rows' | 'counters'>,
  { tenant, supplier }: CountersNamed,
  { repair, report }: { repair: boolean; report: (scope: SupplierScope, finding: Finding) => void },
): Promise<{ suppliers: number; invoices: number }> {
  const tenants = tenant === undefined ? await readTenantNames(ports) : [tenant];
  const scopes: SupplierScope[] = [];
  for (const name of tenants) {
    const suppliers = await findSuppliers(ports, name, supplier);
    scopes.push(...suppliers.map(({ supplierId }) => ({ tenant: name, supplierId })));
  }
  let invoices = 0;
  await inPool(scopes, PARALLEL_SUPPLIERS, async (scope) => {
    const counted = await verifySupplier(ports, scope, { repair, report: (found) => report(scope, found) });
    invoices += counted;
  });
  return { suppliers: scopes.length, invoices };
}

/** Verifies one supplier, the rows first, because they are what is counted. Gives how many invoices it has. */
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

// A name without a state is that of a day's fingerprint.
const DAY_DIGITS = 2;

/**
 * Compares a month's counters with its invoices, exactly, whatever the service writes meanwhile; sets them right if it
 * shall. It counts the invoices by their rows, but for those whose rows are distrusted. Gives how many there are.
 */
export async function verifyMonth(
  audit: Pick<CounterAudit, 'read' | 'recount' | 'correct'>,
  scope: SupplierScope,
  month: string,
  { repair, report, distrusted }: VerifyOptions & { readonly distrusted: ReadonlySet<string> },
): Promise<number> {
  let suspected: unknown;
  for await (const _ of limitedAttempts(RETRIES)) {
    const stored = await audit.read(scope, month);
    const counted = await audit.recount(scope, month, distrusted);
    if (!isDeepStrictEqual(await audit.read(scope, month), stored)) continue;

    const differences = computeDifferences(counted, stored.sums);
    const isRight = differences.length === 0;
    // The writes of one transaction become visible one by one: a difference is one when it is found twice.
    if (!isRight && !isDeepStrictEqual(differences, suspected)) {
      suspected = differences;
      continue;
    }
    const repaired = repair && !isRight;
    const corrections = new Map(differences.map((one) => [one.name, one.counted - one.stored]));
    if (repaired && !(await audit.correct(scope, month, stored, corrections))) continue;

    for (const { name, ...numbers } of differences) {
      const [day, state] = [`${month}-${name.slice(0, DAY_DIGITS)}`, name.slice(DAY_DIGITS)];
      report(state ? { kind: 'counter', day, state, ...numbers, repaired } : { kind: 'fingerprint', day, repaired });
    }
    return [...counted].reduce((sum, [name, count]) => (name.length > DAY_DIGITS ? sum + count : sum), 0);
  }
  report({ kind: 'busy', month });
  return 0;
}

function computeDifferences(counted: MonthCounts, stored: MonthCounts) {
  return [...new Set([...counted.keys(), ...stored.keys()])]
    .toSorted()
    .map((name) => ({ name, counted: counted.get(name) ?? 0, stored: stored.get(name) ?? 0 }))
    .filter((one) => one.counted !== one.stored);
}

const PARALLEL_INVOICES = 8;

/**
 * Compares the rows of a supplier with its invoices: by a sum for each day and, where a day differs, row by row. Gives
 * the months (yyyy-mm) of its invoices and counters, oldest first, and the ids of the invoices whose rows are not, or
 * may not be, right.
 */
export async function verifyRows(
  audit: RowAudit,
  scope: SupplierScope,
  countedMonths: readonly string[],
  { repair, report }: VerifyOptions,
) {
  const { months, differing } = await sumDays(audit, scope, countedMonths);
  const distrusted = new Set<string>();
  for await (const suspects of suspectRows(audit, scope, differing)) {
    // One invoice is repaired by one worker: repairs of the same invoice would hold each other up.
    const ofInvoices = [...Map.groupBy(suspects, ({ invoiceId }) => invoiceId)];
    await inPool(ofInvoices, PARALLEL_INVOICES, async ([invoiceId, rows]) => {
      for (const row of rows) {
        const finding = await verifyRow(audit, scope, row, repair);
        if (!finding) continue;
        if (finding.kind === 'busy' || !finding.repaired) distrusted.add(invoiceId);
        report(finding);
      }
    });
  }
  return { months, distrusted };
}

/** The days whose rows do not add up to those of their invoices, and all months; it holds a sum for each day only. */
async function sumDays(audit: RowAudit, scope: SupplierScope, countedMonths: readonly string[]) {
  const sums = new Map<string, Fingerprint>();
  const sumUp = (rows: readonly AuditedRow[], change: typeof addFingerprints) => {
    for (const { day, fingerprint } of rows) sums.set(day, change(sums.get(day) ?? NO_FINGERPRINT, fingerprint));
  };
  for await (const rows of audit.due(scope)) sumUp(rows, addFingerprints);
  const months = [...new Set([...countedMonths, ...[...sums.keys()].map(monthOf)])].toSorted();
  for (const month of months) {
    for await (const rows of audit.stored(scope, month)) sumUp(rows, subtractFingerprints);
  }
  const differing = [...sums].filter(([, sum]) => sum !== NO_FINGERPRINT).map(([day]) => day);
  return { months, differing: new Set(differing) };
}

/** The rows of some days that seem wrong, page by page: first those that must be there, then those that must not. */
async function* suspectRows(audit: RowAudit, scope: SupplierScope, days: ReadonlySet<string>) {
  if (days.size === 0) return;
  const compare = (rows: readonly AuditedRow[]) =>
    audit.compare(
      scope,
      rows.filter(({ day }) => days.has(day)),
    );
  for await (const rows of audit.due(scope)) yield await compare(rows);
  for (const month of new Set([...days].map(monthOf))) {
    for await (const rows of audit.stored(scope, month)) {
      yield (await compare(rows)).filter(({ fault }) => fault === 'stray');
    }
  }
}

/** Compares one row exactly, whatever the service writes meanwhile, and rewrites it if it shall; null: it is right. */
async function verifyRow(
  audit: RowAudit,
  scope: SupplierScope,
  row: AuditedRow,
  repair: boolean,
): Promise<Finding | null> {
  for await (const _ of limitedAttempts(RETRIES)) {
    const wrong = await audit.compareExactly(scope, row);
    if (wrong === null) return null;
    if (wrong === 'busy' || (repair && !(await audit.repair(scope, wrong)))) continue;
    const { invoiceId, fault, list, date } = wrong;
    return { kind: 'row', invoiceId, fault, list, date, repaired: repair };
  }
  return { kind: 'busy', invoiceId: row.invoiceId };
}

/** What differs from the invoices: a row, how many of a day's invoices are in a state, or which they are. */
type Difference = { readonly repaired: boolean } & (
  | ({ readonly kind: 'row' } & Pick<WrongRow, 'invoiceId' | 'fault' | 'list' | 'date'>)
  | {
      readonly kind: 'counter';
      readonly day: string;
      readonly state: string;
      readonly counted: number;
      readonly stored: number;
    }
  | { readonly kind: 'fingerprint'; readonly day: string }
);

/** What kept being changed while it was read: the rows of an invoice, or a month (yyyy-mm). */
type Busy = { readonly kind: 'busy' } & ({ readonly invoiceId: string } | { readonly month: string });

/** What an audit tells of a supplier. */
export type Finding = Difference | Busy;

/** Whether to set right what differs, and who hears of it. */
interface VerifyOptions {
  readonly repair: boolean;
  readonly report: (finding: Finding) => void;
}

/** How often what other writers may disturb is tried, and the pauses between. */
const RETRIES: AttemptLimits = { most: 12, firstMs: 10, longestMs: 1000 };
