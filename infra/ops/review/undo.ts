import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, EXIT, type ExitCode, runCommand, type Session, trapSignals } from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import { byOption, identifyAuthor, readText } from '../invoice-options.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { changeInvoices } from '../tables/change-invoices.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { type AffectedInvoice, planUndo, type Undo } from './plan-undo.ts';

/** The changes of a command can be later than its end, if the clock of the previous change of an invoice was ahead. */
const MARGIN_MS = 60 * 60_000;

const command = defineCommand('undo', {
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
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const undoCommand = command.action((tenant, commandId, options) =>
  runCommand(options, (session) => undoRecordedCommand(session, tenant, commandId, options)),
);

async function undoRecordedCommand(session: Session, tenant: string, commandId: string, options: Options) {
  const { reason, by, force = false } = options;
  const author = { reason: readText('--reason', reason), changedBy: await identifyAuthor(session.readIdentity, by) };
  const recordedCommand = await findCommand(session.ports, tenant, commandId);
  return undoChanges(session, { command: recordedCommand, author, force });
}

/** Finds a command of a tenant. Throws an OperatorError if no command has the id. */
async function findCommand({ operatorEntries }: AdminPorts, tenant: string, id: string): Promise<OperatorEntry> {
  for await (const page of operatorEntries.pages(tenant)) {
    const found = page.find((entry) => entry.id === id);
    if (found) return found;
  }
  throw new OperatorError(translate(opsTexts.unknownCommand(tenant, id)));
}

async function undoChanges({ ports, output, host }: Session, undo: Undo): Promise<ExitCode> {
  const { tenant, id, command: name } = undo.command;
  const stop = trapSignals(host);
  const affectedInvoices = await findAffectedInvoices(ports, undo.command);
  if (affectedInvoices.length === 0) throw new OperatorError(translate(opsTexts.changedNoInvoice(name)));
  let undone = 0;
  const leftInvoices: object[] = [];
  await changeInvoices<AffectedInvoice, 'undone'>(ports, affectedInvoices, {
    tenant,
    getKey: (invoice) => invoice,
    plan: (invoice, current) => planUndo(ports.histories, invoice, current, undo),
    report({ supplierId, invoiceId }, outcome) {
      if (outcome === 'undone') {
        undone += 1;
        return;
      }
      leftInvoices.push({ supplier_id: supplierId, invoice_id: invoiceId, error: outcome.error });
      output.error(translate(opsTexts.leftAlone(supplierId, invoiceId, outcome.error)));
    },
    stop,
  });
  output.line(translate(opsTexts.undone(undone, leftInvoices.length)));
  if (stop.aborted) output.error(translate(opsTexts.interrupted));
  const leftFields = { left_alone: leftInvoices.length, left: leftInvoices };
  output.document({ tenant, command_id: id, undone, ...leftFields, interrupted: stop.aborted });
  if (stop.aborted) return EXIT.interrupted;
  return leftInvoices.length > 0 ? EXIT.rejected : EXIT.done;
}

/** Finds the invoices that a command has changed, and those that an import has created. */
async function findAffectedInvoices(
  { histories, invoices, records }: AdminPorts,
  { tenant, id, command: name, time, ended_at: endedAt }: OperatorEntry,
): Promise<AffectedInvoice[]> {
  const affected = new Map<string, AffectedInvoice>();
  const add = (invoice: AffectedInvoice) => affected.set(`${invoice.supplierId}#${invoice.invoiceId}`, invoice);
  const startMs = Date.parse(time);
  // A command that was killed has no end.
  const endMs = endedAt === undefined ? systemClock.now().getTime() : Date.parse(endedAt);
  for await (const page of histories.readBetween(tenant, startMs - MARGIN_MS, endMs + MARGIN_MS)) {
    const ownChanges = page.filter(({ commandId }) => commandId === id);
    for (const { scope, invoiceId } of ownChanges) add({ supplierId: scope.supplierId, invoiceId, isCreated: false });
  }
  if (name !== 'import-invoices') return [...affected.values()];
  // A history does not contain the creation of its invoice, so all invoices of the tenant are read.
  for (const { supplierId } of await findSuppliers({ records }, tenant)) {
    for await (const page of invoices.readCreatedBy({ tenant, supplierId }, id)) {
      for (const { invoiceId } of page) add({ supplierId, invoiceId, isCreated: true });
    }
  }
  return [...affected.values()];
}
