import { Argument, Option } from '@commander-js/extra-typings';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { OwnedInvoice } from '../tables/stored-invoices.ts';
import { type Rejection, writeRows } from '../tables/write-rows.ts';
import { toStateChangeDocument } from '../../../lib/contracts/events.ts';
import { type Author, describeStateChange, type StateChange, withState } from '../../../lib/domain/invoice-change.ts';
import { canTransition, INVOICE_STATES, STATE_CODES, type StateCode } from '../../../lib/domain/invoice-states.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { dryRunOption, matching, runCommand } from '../command.ts';
import { byOption, defineInvoiceCommand, findInvoice, identifyAuthor, readText } from '../invoice-options.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

export const revisionOption = new Option(
  '--revision <number>',
  'change it only if the current declaration has this revision (0: no declaration)',
).argParser((text) => Number(matching(/^\d{1,10}$/, 'the number of a revision, or 0')(text)));

export const setStateCommand = defineInvoiceCommand('set-state', {
  summary: 'Change the state of an invoice. Its history records the author and the reason.',
  example: 'set-state demo.example 9005 LIQ --reason "Paid on 3 September" --local',
})
  .addArgument(new Argument('<state>', 'the new state').choices(STATE_CODES))
  .requiredOption('--reason <text>', 'reason of the change')
  .addOption(revisionOption)
  .option('--force', 'also change a settled invoice (LIQ)')
  .addOption(byOption)
  .addOption(dryRunOption)
  .action((tenant, invoiceId, state, { supplier, reason: text, by, revision, force, ...options }) =>
    runCommand(options, async ({ ports, operator, output }) => {
      const reason = readText('--reason', text);
      const changedBy = await identifyAuthor(operator, by);
      const found = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier });
      const change = await changeState(ports, found, state, { changedBy, reason, expectedRevision: revision, force });
      const { supplierId } = found.scope;
      const name = `Invoice ${invoiceId} of supplier ${supplierId}`;
      if (change) output.line(`${name}: ${change.from} -> ${change.to} by ${changedBy}: ${reason}`);
      else output.line(`${name} is already ${state} (${INVOICE_STATES[state].name}). Nothing was written.`);
      output.document({
        tenant,
        supplier_id: supplierId,
        invoice_id: invoiceId,
        changed: change !== null,
        ...(change && { ...toStateChangeDocument(change), changed_by: changedBy, reason }),
      });
    }),
  );

type Ports = Pick<AdminPorts, 'commit' | 'invoices'>;

type StateChangeOptions = Author & {
  readonly expectedRevision?: number | undefined;
  readonly force?: boolean | undefined;
};

/**
 * Changes the state of an invoice; returns null if it already has the state. Throws an OperatorError if the invoice is
 * settled and `force` is false, or if its declaration does not have the expected revision (0: no declaration).
 */
export function changeState(
  ports: Ports,
  found: OwnedInvoice,
  state: StateCode,
  { expectedRevision, force = false, ...author }: StateChangeOptions,
): Promise<StateChange | null> {
  return changeInvoice(ports, found, author, (before) => {
    if (expectedRevision !== undefined) requireRevision(before, expectedRevision);
    if (!force && !canTransition(before.state, state)) {
      throw new OperatorError(
        `Invoice ${before.invoiceId} is settled (${before.state}) and cannot change state. Use --force to override.`,
      );
    }
    return withState(before, state, systemClock.now());
  });
}

/**
 * Writes the invoice that `plan` returns. After a conflict, plans the current invoice again. Returns the change, or null
 * if nothing changes. Throws the error of `plan`, and an OperatorError if another command withdraws, restores or erases
 * the invoice at the same time.
 */
export async function changeInvoice(
  { commit, invoices }: Ports,
  { scope, invoice: { invoiceId, isWithdrawn } }: OwnedInvoice,
  author: Author,
  plan: (before: Invoice) => Invoice,
): Promise<StateChange | null> {
  let result: StateChange | Rejection | null = null;
  await writeRows<string, StateChange | null>(commit, scope, [invoiceId], {
    getInvoiceId: (id) => id,
    async plan() {
      const before = (await invoices.getMany(scope, [invoiceId])).get(invoiceId);
      if (before?.isWithdrawn !== isWithdrawn) {
        throw new OperatorError(
          `Nothing was changed: another command has withdrawn, restored or erased invoice ${invoiceId}. Run show.`,
        );
      }
      const after = plan(before);
      const stateChange = describeStateChange(before, after);
      return [{ change: stateChange && { before, after, author }, outcome: stateChange }];
    },
    report: (_, outcome) => void (result = outcome),
  });
  const outcome = result as StateChange | Rejection | null;
  if (outcome && 'error' in outcome) throw new Error(`Invoice ${invoiceId} was not changed: ${outcome.error}`);
  return outcome;
}

/** Throws an OperatorError if the current declaration does not have the expected revision (0: no declaration). */
export function requireRevision(invoice: Invoice, expected: number): void {
  const error = findRevisionError(expected, invoice);
  if (error !== null) throw new OperatorError(`Nothing was changed. ${error}`);
}

/** Describes how the current declaration differs from the expected revision (0: no declaration); null: it does not. */
export function findRevisionError(expected: number, { declaration }: Invoice): string | null {
  if (expected === (declaration?.revision ?? 0)) return null;
  if (!declaration) return `revision: ${translate(rejectionTexts.noDeclaration(expected))}`;
  const { revision, amount } = declaration;
  if (expected > revision) return `revision: ${translate(rejectionTexts.laterRevision(expected, revision))}`;
  return `revision: ${translate(rejectionTexts.declaredSince(formatDecimal(amount), expected, revision))}`;
}
