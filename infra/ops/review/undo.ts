import { type Author, withWithdrawal } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { buildNextVersion } from '../../../lib/domain/next-version.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { type DetailedChange, findOldValues } from '../../../lib/tables/history-items.ts';
import { fromInvoice, type InvoiceItem, toInvoice } from '../../../lib/tables/invoice-items.ts';
import { defineCommand, dryRunOption, EXIT, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';
import { changeInvoices, type CurrentInvoice, type RowPlan } from '../tables/change-invoices.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

export const undoCommand = defineCommand('undo', {
  summary:
    'Undo what a command changed, except on invoices that have changed since. Withdraws the invoices that the command ' +
    'created. The undo has an id of its own, and can be undone.',
  example: 'undo demo.example 5d0c3f6e-1d3b-4b7e-9a55-0c8a1f6d2b11 --reason "Wrong file" --local',
})
  .argument('<tenant>', 'tenant of the command')
  .argument('<command-id>', 'id of the command, which audit prints')
  .requiredOption('--reason <text>', 'reason of the undo')
  .option('--force', 'also change settled invoices (LIQ)')
  .addOption(byOption)
  .addOption(dryRunOption)
  .addOption(languageOption)
  .action((tenant, commandId, { reason: text, force = false, by, ...options }) =>
    runCommand(options, async (session) => {
      const author = { reason: readText('--reason', text), changedBy: await identifyAuthor(session.operator, by) };
      const found = await findCommand(session.ports, tenant, commandId);
      return undoChanges(session, { ...found, author, force });
    }),
  );

/** Finds a command of a tenant, and the ids of its earlier undos. Throws an OperatorError if no command has the id. */
async function findCommand({ operatorEntries }: AdminPorts, tenant: string, id: string) {
  let command: OperatorEntry | undefined;
  const undoIds = new Set<string>();
  for await (const page of operatorEntries.pages(tenant, '0')) {
    command ??= page.find((entry) => entry.id === id);
    for (const entry of page) {
      if (entry.command === 'undo' && entry.arguments.includes(id)) undoIds.add(entry.id);
    }
  }
  if (command === undefined) throw new OperatorError(translate(opsTexts.unknownCommand(tenant, id)));
  return { command, undoIds };
}

interface Undo extends Awaited<ReturnType<typeof findCommand>> {
  readonly author: Author;
  readonly force: boolean;
}

/** An invoice that the command has changed or created. */
interface AffectedInvoice {
  readonly supplierId: string;
  readonly invoiceId: string;
  readonly isCreated: boolean;
}

async function undoChanges({ ports, output, host }: Session, undo: Undo): Promise<ExitCode> {
  const { tenant, id } = undo.command;
  const stop = stopSignal(host);
  let undone = 0;
  const left: object[] = [];
  const affected = await findAffectedInvoices(ports, undo.command);
  if (affected.length === 0) throw new OperatorError(translate(opsTexts.changedNoInvoice(undo.command.command)));
  await changeInvoices<AffectedInvoice, 'undone'>(ports, affected, {
    tenant,
    getKey: (invoice) => invoice,
    plan: (affectedInvoice, current) => planUndo(ports.histories, affectedInvoice, current, undo),
    report({ supplierId, invoiceId }, outcome) {
      if (outcome === 'undone') {
        undone += 1;
        return;
      }
      left.push({ supplier_id: supplierId, invoice_id: invoiceId, error: outcome.error });
      output.error(translate(opsTexts.leftAlone(supplierId, invoiceId, outcome.error)));
    },
    stop,
  });
  output.line(translate(opsTexts.undone(undone, left.length)));
  if (stop.aborted) output.error(translate(opsTexts.interrupted));
  output.document({ tenant, command_id: id, undone, left_alone: left.length, left, interrupted: stop.aborted });
  if (stop.aborted) return EXIT.interrupted;
  return left.length > 0 ? EXIT.rejected : EXIT.done;
}

// The changes of a command have times between its start and its end, by the same clock. The margin is for invoices whose
// previous change has a later time.
const MARGIN_MS = 60 * 60_000;

/** Finds the invoices that a command has changed or created. */
async function findAffectedInvoices(
  { histories, invoices, records }: AdminPorts,
  { tenant, id, command, time, ended_at: endedAt }: OperatorEntry,
): Promise<AffectedInvoice[]> {
  const startMs = Date.parse(time) - MARGIN_MS;
  // A command that was killed has no end.
  const endMs = (endedAt === undefined ? systemClock.now().getTime() : Date.parse(endedAt)) + MARGIN_MS;
  const affected = new Map<string, AffectedInvoice>();
  const add = (invoice: AffectedInvoice) => affected.set(`${invoice.supplierId}#${invoice.invoiceId}`, invoice);
  for await (const page of histories.readBetween(tenant, startMs, endMs)) {
    for (const { scope, invoiceId, commandId } of page) {
      if (commandId === id) add({ supplierId: scope.supplierId, invoiceId, isCreated: false });
    }
  }
  if (command === 'import-invoices') {
    // The creation of an invoice is no change. Therefore all invoices of the tenant are read.
    for (const { supplierId } of await findSuppliers({ records }, tenant)) {
      for await (const page of invoices.readCreatedBy({ tenant, supplierId }, id)) {
        for (const { invoiceId } of page) add({ supplierId, invoiceId, isCreated: true });
      }
    }
  }
  return [...affected.values()];
}

/** Plans the undo of an invoice, or describes why the invoice is left alone. */
async function planUndo(
  histories: AdminPorts['histories'],
  { invoiceId, isCreated }: AffectedInvoice,
  { scope, invoice: before }: CurrentInvoice,
  { command, undoIds, author, force }: Undo,
): Promise<RowPlan<'undone'>> {
  const leaveAlone = (reason: Text) => ({ change: null, outcome: { error: translate(reason) } });
  if (!before) return leaveAlone(opsTexts.erasedSince);
  // The condition of the write is the version of the invoice, so a later change in the history causes another plan.
  const history = await histories.read(scope, invoiceId);
  const own = history.filter(({ commandId }) => commandId === command.id);
  const later = history.filter(({ version }) => version > (own.at(-1)?.version ?? 1));
  const last = later.at(-1);
  if (last && !isWithoutEffect(scope, before, later)) {
    const { commandId, changedBy, changedAt, kind } = last;
    if (undoIds.has(commandId ?? '')) return leaveAlone(opsTexts.alreadyUndone(changedBy, changedAt));
    return leaveAlone(opsTexts.changedSince(changedBy, changedAt, kind));
  }
  if (hasChangeBetween(own, isCreated)) return leaveAlone(opsTexts.changedMeanwhile);
  // The next declaration would otherwise have the same revision number, and events and exports the same ids.
  if (!isCreated && own.some(({ revision }) => revision)) return leaveAlone(opsTexts.declaredByCommand);
  if (before.state === 'LIQ' && !force) return leaveAlone(opsTexts.settledNeedsForce);
  const now = systemClock.now();
  const after = isCreated ? withWithdrawal(before, true, now) : buildNextVersion(restore(scope, before, own), {}, now);
  return { change: { before, after, author }, outcome: 'undone' };
}

/** True if another change was made between the first and the last change by the command. */
function hasChangeBetween(own: readonly DetailedChange[], isCreated: boolean): boolean {
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last) return false;
  // The history of a created invoice begins with its first change, unless a declaration was created with it.
  const firstVersion = isCreated ? Math.min(first.version, 2) : first.version;
  return last.version - firstVersion !== own.length - 1;
}

/** True if later changes by commands together change nothing, as a command and its undo. */
function isWithoutEffect(scope: SupplierScope, invoice: Invoice, later: readonly DetailedChange[]): boolean {
  if (later.some(({ oldValues }) => oldValues === null)) return false;
  return Object.keys(findOldValues(scope, restore(scope, invoice, later), invoice)).length === 0;
}

/** Returns an invoice with the values that it had before changes (oldest first), and with its current version. */
function restore(scope: SupplierScope, invoice: Invoice, changes: readonly DetailedChange[]): Invoice {
  const oldValues = changes.toReversed().map((change) => change.oldValues);
  const values: object = Object.assign({}, fromInvoice(scope, invoice), ...oldValues);
  // An attribute that was absent has the old value null.
  const attributes = Object.entries(values).filter(([, value]) => value !== null);
  return toInvoice(Object.fromEntries(attributes) as InvoiceItem);
}
