import { Argument, Option } from '@commander-js/extra-typings';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { toStateChangeDocument } from '../../../lib/contracts/events.ts';
import {
  withState,
  type StateChange,
  type StateChangeContext,
  buildStateChange,
} from '../../../lib/domain/invoice-state-change.ts';
import { canTransition, INVOICE_STATES, STATE_CODES, type StateCode } from '../../../lib/domain/invoice-states.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import { type AttemptLimits, limitedAttempts } from '../../../lib/runtime/attempts.ts';
import { type Clock, systemClock } from '../../../lib/runtime/clock.ts';
import type { OwnedInvoice } from '../../../lib/tables/invoice-table.ts';
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
        ...(change && toStateChangeDocument(change)),
      });
    }),
  );

type Ports = Pick<AdminPorts, 'commit' | 'declarations'>;

export type Author = Pick<StateChangeContext, 'changedBy' | 'reason'>;

type StateChangeOptions = Author & {
  readonly expectedRevision?: number | undefined;
  readonly force?: boolean | undefined;
};

const RETRIES: AttemptLimits = { maxAttempts: 10, firstMs: 10, longestMs: 200 };

/**
 * Changes the state of an invoice, and retries after conflicts; returns null if it already has the state. Throws an
 * OperatorError if the invoice is settled and `force` is false, or if its declaration does not have the expected
 * revision (0: the invoice has no declaration).
 */
export function changeState(
  ports: Ports,
  found: OwnedInvoice,
  state: StateCode,
  { expectedRevision, force = false, ...author }: StateChangeOptions,
  clock?: Clock,
): Promise<StateChange | null> {
  return changeInvoice(
    ports,
    found,
    author,
    async (before) => {
      if (expectedRevision !== undefined) await requireRevision(ports, { ...found, invoice: before }, expectedRevision);
      if (!force && !canTransition(before.state, state)) {
        throw new OperatorError(
          `Invoice ${before.invoiceId} is settled (${before.state}) and cannot change state. Use --force to override.`,
        );
      }
      return withState(before, state);
    },
    clock,
  );
}

/**
 * Writes the invoice that `plan` returns, with an entry of the state history. After a conflict, plans the current
 * invoice again. Returns the entry, or null if nothing changes. Throws the error of `plan`, and an OperatorError if
 * another command withdraws or restores the invoice at the same time.
 */
export async function changeInvoice(
  { commit }: Pick<Ports, 'commit'>,
  { scope, invoice }: OwnedInvoice,
  author: Author,
  plan: (before: Invoice) => Promise<Invoice>,
  clock = systemClock,
): Promise<StateChange | null> {
  const { invoiceId, isWithdrawn } = invoice;
  let before = invoice;
  for await (const attempt of limitedAttempts(RETRIES)) {
    const after = await plan(before);
    const stateChange = buildStateChange(before, after, { ...author, now: clock.now() });
    if (!stateChange) return null;
    const outcome = await commit(scope, [{ before, after, revisions: [], stateChange }], attempt);
    if (outcome.kind === 'committed') return stateChange;
    const current = outcome.current.get(invoiceId) ?? null;
    if (outcome.current.has(invoiceId) && current?.isWithdrawn !== isWithdrawn) {
      throw new OperatorError(
        `Nothing was changed: another command has withdrawn or restored invoice ${invoiceId}. Run show to see it.`,
      );
    }
    before = current ?? before;
  }
  throw new Error(`Invoice ${invoiceId} was not changed: others kept changing it. Run the command again.`);
}

/** Throws an OperatorError if the current declaration does not have the expected revision (0: no declaration). */
export async function requireRevision(
  { declarations }: Pick<Ports, 'declarations'>,
  { scope, invoice }: OwnedInvoice,
  expected: number,
): Promise<void> {
  const { invoiceId, declaration } = invoice;
  if (expected === (declaration?.revision ?? 0)) return;
  const [revision] = await declarations.readRevisions(scope, [{ invoiceId, revision: expected }]);
  throw new OperatorError(`Nothing was changed. ${describeRevisionConflict(expected, invoice, revision?.amount)}`);
}

/** Describes how the current declaration differs from the expected revision, which had the amount `expectedAmount`. */
export function describeRevisionConflict(
  expected: number,
  { declaration }: Invoice,
  expectedAmount: Decimal | undefined,
): string {
  if (!declaration) return `revision: ${translate(rejectionTexts.noDeclaration(expected))}`;
  const { revision, amount } = declaration;
  if (expected > revision) return `revision: ${translate(rejectionTexts.laterRevision(expected, revision))}`;
  const before = expectedAmount ? formatDecimal(expectedAmount) : translate(rejectionTexts.nothing);
  return `revision: ${translate(rejectionTexts.declaredAgain(before, formatDecimal(amount), expected, revision))}`;
}
