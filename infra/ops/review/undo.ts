import { type Author, withWithdrawal } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { buildNextVersion } from '../../../lib/domain/next-version.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { splitIntoChunks } from '../../../lib/runtime/pages.ts';
import { type DetailedChange, findOldValues } from '../../../lib/tables/history-items.ts';
import { fromInvoice, type InvoiceItem, toInvoice } from '../../../lib/tables/invoice-items.ts';
import { defineCommand, dryRunOption, EXIT, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';
import { type RowPlan, writeRows } from '../tables/write-rows.ts';
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
      const commands = await readCommands(session.ports, tenant);
      const command = commands.get(commandId);
      if (!command) throw new OperatorError(translate(opsTexts.unknownCommand(tenant, commandId)));
      return undoChanges(session, { command, commands, author, force });
    }),
  );

/** The commands of a tenant by their ids. */
type Commands = ReadonlyMap<string, OperatorEntry>;

async function readCommands({ operatorEntries }: AdminPorts, tenant: string): Promise<Commands> {
  const commands = new Map<string, OperatorEntry>();
  for await (const page of operatorEntries.pages(tenant, '0')) for (const entry of page) commands.set(entry.id, entry);
  return commands;
}

interface Undo {
  readonly command: OperatorEntry;
  readonly commands: Commands;
  readonly author: Author;
  readonly force: boolean;
}

/** An invoice that the command has changed or created. */
interface AffectedInvoice {
  readonly invoiceId: string;
  readonly isCreated: boolean;
}

const PARALLEL_SUPPLIERS = 8;
// The number of invoices that are written before the signal to stop is checked again.
const INVOICES_PER_WRITE = 500;

async function undoChanges({ ports, output, host }: Session, undo: Undo): Promise<ExitCode> {
  const { tenant, id } = undo.command;
  const stop = stopSignal(host);
  const counts = { undone: 0, left_alone: 0 };
  const left: object[] = [];
  const affected = await findAffectedInvoices(ports, undo.command);
  if (affected.size === 0) throw new OperatorError(translate(opsTexts.changedNoInvoice(undo.command.command)));
  await forEachConcurrent([...affected], PARALLEL_SUPPLIERS, async ([supplierId, invoices]) => {
    const scope = { tenant, supplierId };
    for (const chunk of splitIntoChunks(invoices, INVOICES_PER_WRITE)) {
      if (stop.aborted) return;
      await writeRows<AffectedInvoice, 'undone'>(ports.commit, scope, chunk, {
        getInvoiceId: ({ invoiceId }) => invoiceId,
        plan: (rows) => planUndo(ports, scope, rows, undo),
        report({ invoiceId }, outcome) {
          counts[outcome === 'undone' ? 'undone' : 'left_alone'] += 1;
          if (outcome === 'undone') return;
          left.push({ supplier_id: supplierId, invoice_id: invoiceId, error: outcome.error });
          output.error(translate(opsTexts.leftAlone(supplierId, invoiceId, outcome.error)));
        },
      });
    }
  });
  output.line(translate(opsTexts.undone(counts.undone, counts.left_alone)));
  if (stop.aborted) output.error(translate(opsTexts.interrupted));
  output.document({ tenant, command_id: id, ...counts, left, interrupted: stop.aborted });
  if (stop.aborted) return EXIT.interrupted;
  return counts.left_alone > 0 ? EXIT.rejected : EXIT.done;
}

// The changes of a command have times between its start and its end, by the same clock. The margin is for invoices whose
// previous change has a later time.
const MARGIN_MS = 60 * 60_000;

/** Finds the invoices that a command has changed or created, by supplier. */
async function findAffectedInvoices(
  { histories, invoices, records }: AdminPorts,
  { tenant, id, command, time, ended_at: endedAt }: OperatorEntry,
): Promise<Map<string, AffectedInvoice[]>> {
  const startMs = Date.parse(time) - MARGIN_MS;
  // A command that was killed has no end.
  const endMs = (endedAt === undefined ? systemClock.now().getTime() : Date.parse(endedAt)) + MARGIN_MS;
  const affected = new Map<string, Map<string, AffectedInvoice>>();
  const add = (supplierId: string, invoice: AffectedInvoice) => {
    const supplierInvoices = affected.get(supplierId) ?? new Map<string, AffectedInvoice>();
    affected.set(supplierId, supplierInvoices.set(invoice.invoiceId, invoice));
  };
  for await (const page of histories.readBetween(tenant, startMs, endMs)) {
    for (const { scope, invoiceId, commandId } of page) {
      if (commandId === id) add(scope.supplierId, { invoiceId, isCreated: false });
    }
  }
  if (command === 'import-invoices') {
    // The creation of an invoice is no change. Therefore all invoices of the tenant are read.
    for (const { supplierId } of await findSuppliers({ records }, tenant)) {
      for await (const page of invoices.readCreatedBy({ tenant, supplierId }, id)) {
        for (const { invoiceId } of page) add(supplierId, { invoiceId, isCreated: true });
      }
    }
  }
  return new Map(Array.from(affected, ([supplierId, found]) => [supplierId, [...found.values()]]));
}

const PARALLEL_HISTORIES = 16;

async function planUndo(
  { invoices, histories }: AdminPorts,
  scope: SupplierScope,
  rows: readonly AffectedInvoice[],
  undo: Undo,
): Promise<RowPlan<'undone'>[]> {
  const ids = rows.map(({ invoiceId }) => invoiceId);
  const current = await invoices.getMany(scope, ids);
  const historyById = new Map<string, readonly DetailedChange[]>();
  await forEachConcurrent(ids, PARALLEL_HISTORIES, async (id) => {
    historyById.set(id, await histories.read(scope, id));
  });
  return rows.map(({ invoiceId, isCreated }) => {
    const before = current.get(invoiceId);
    if (!before) return { change: null, outcome: { error: translate(opsTexts.erasedSince) } };
    // The condition of the write is the version of the invoice, so a later change in the history causes another plan.
    const history = historyById.get(invoiceId) ?? [];
    const own = history.filter(({ commandId }) => commandId === undo.command.id);
    const later = history.filter(({ version }) => version > (own.at(-1)?.version ?? 1));
    const error = findUndoError(scope, before, { isCreated, own, later, undo });
    if (error) return { change: null, outcome: { error } };
    const now = systemClock.now();
    const after = isCreated
      ? withWithdrawal(before, true, now)
      : buildNextVersion(restore(scope, before, own), {}, now);
    return { change: { before, after, author: undo.author }, outcome: 'undone' };
  });
}

interface UndoneChanges {
  readonly isCreated: boolean;
  /** The changes by the command, oldest first. */
  readonly own: readonly DetailedChange[];
  readonly later: readonly DetailedChange[];
  readonly undo: Undo;
}

/** Returns the reason why an invoice is left alone, or null. */
function findUndoError(
  scope: SupplierScope,
  before: Invoice,
  { isCreated, own, later, undo }: UndoneChanges,
): string | null {
  const last = later.at(-1);
  if (last && !isWithoutEffect(scope, before, later)) return describeLaterChange(last, undo);
  if (hasChangeBetween(own, isCreated)) return translate(opsTexts.changedMeanwhile);
  // The next declaration would otherwise have the same revision number, and events and exports the same ids.
  if (!isCreated && own.some(({ revision }) => revision)) return translate(opsTexts.declaredByCommand);
  if (before.state === 'LIQ' && !undo.force) return translate(opsTexts.settledNeedsForce);
  return null;
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

/** Describes the change because of which an invoice is left alone. It can be an undo of the same command. */
function describeLaterChange({ commandId, changedBy, changedAt, kind }: DetailedChange, undo: Undo): string {
  const laterCommand = undo.commands.get(commandId ?? '');
  const isSameUndo = laterCommand?.command === 'undo' && laterCommand.arguments.includes(undo.command.id);
  return translate((isSameUndo ? opsTexts.alreadyUndone : opsTexts.changedSince)(changedBy, changedAt, kind));
}

/** True if later changes by commands together change nothing, as a command and its undo. */
function isWithoutEffect(scope: SupplierScope, invoice: Invoice, later: readonly DetailedChange[]): boolean {
  if (later.some(({ oldValues }) => oldValues === null)) return false;
  return Object.keys(findOldValues(scope, restore(scope, invoice, later), invoice)).length === 0;
}

/** Returns an invoice with the values that it had before changes (oldest first), and with its current version. */
function restore(scope: SupplierScope, invoice: Invoice, changes: readonly DetailedChange[]): Invoice {
  const item: Record<string, unknown> = { ...fromInvoice(scope, invoice) };
  for (const { oldValues } of changes.toReversed()) {
    for (const [name, value] of Object.entries(oldValues ?? {})) {
      if (value === null) delete item[name];
      else item[name] = value;
    }
  }
  return toInvoice(item as InvoiceItem);
}
