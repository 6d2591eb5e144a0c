import { Argument } from '@commander-js/extra-typings';
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
import { systemClock } from '../../../lib/runtime/clock.ts';
import type { OwnedInvoice } from '../../../lib/tables/invoice-table.ts';
import { dryRunOption, matching, runCommand } from '../command.ts';
import { byOption, defineInvoiceCommand, findInvoice, identifyAuthor, readText } from '../invoice-options.ts';

export const setStateCommand = defineInvoiceCommand('set-state', {
  summary: 'Change the state of an invoice. Its history records the author and the reason.',
  example: 'set-state demo.example 9005 LIQ --reason "Paid on 3 September" --local',
})
  .addArgument(new Argument('<state>', 'the new state').choices(STATE_CODES))
  .requiredOption('--reason <text>', 'reason of the change')
  .option(
    '--revision <number>',
    'change it only if the current declaration has this revision (0: no declaration)',
    matching(/^\d{1,10}$/, 'the number of a revision, or 0'),
  )
  .option('--force', 'also change a settled invoice (LIQ)')
  .addOption(byOption)
  .addOption(dryRunOption)
  .action((tenant, invoiceId, state, { supplier, reason: text, by, revision, force, ...options }) =>
    runCommand(options, async ({ ports, operator, output }) => {
      const reason = readText('--reason', text);
      const changedBy = await identifyAuthor(operator, by);
      const found = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier });
      const expectedRevision = revision === undefined ? undefined : Number(revision);
      const change = await changeState(ports, found, state, { changedBy, reason, expectedRevision, force });
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

type StateChangeOptions = Pick<StateChangeContext, 'changedBy' | 'reason'> & {
  readonly expectedRevision?: number | undefined;
  readonly force?: boolean | undefined;
};

const RETRIES: AttemptLimits = { maxAttempts: 10, firstMs: 10, longestMs: 200 };

/**
 * Changes the state of an invoice, and retries after conflicts; returns null if it already has the state. Throws an
 * OperatorError if the invoice is settled and `force` is false, or if its declaration does not have the expected
 * revision (0: the invoice has no declaration).
 */
export async function changeState(
  { commit, declarations }: Pick<AdminPorts, 'commit' | 'declarations'>,
  { scope, invoice }: OwnedInvoice,
  state: StateCode,
  { changedBy, reason, expectedRevision, force = false }: StateChangeOptions,
  clock = systemClock,
): Promise<StateChange | null> {
  const { invoiceId } = invoice;
  let before = invoice;
  for await (const attempt of limitedAttempts(RETRIES)) {
    if (expectedRevision !== undefined && expectedRevision !== (before.declaration?.revision ?? 0)) {
      const [expected] = await declarations.readRevisions(scope, [{ invoiceId, revision: expectedRevision }]);
      const conflict = describeRevisionConflict(expectedRevision, before, expected?.amount);
      throw new OperatorError(`Nothing was changed. ${conflict}`);
    }
    if (!force && !canTransition(before.state, state)) {
      throw new OperatorError(
        `Invoice ${invoiceId} is settled (${before.state}) and cannot change state. Use --force to override.`,
      );
    }
    const after = withState(before, state);
    const stateChange = buildStateChange(before, after, { changedBy, reason, now: clock.now() });
    if (!stateChange) return null;
    const outcome = await commit(scope, [{ before, after, revisions: [], stateChange }], attempt);
    if (outcome.kind === 'committed') return stateChange;
    before = outcome.current[0] ?? before;
  }
  throw new Error(
    `The state of invoice ${invoiceId} was not changed: others kept changing the invoice. Run the command again.`,
  );
}

/** Describes how the current declaration differs from the expected revision, which had the amount `expectedAmount`. */
export function describeRevisionConflict(
  expected: number,
  { declaration }: Invoice,
  expectedAmount: Decimal | undefined,
): string {
  if (!declaration) return `revision: expected ${expected}, but the invoice has no declaration`;
  const { revision, amount } = declaration;
  if (expected > revision) return `revision: expected ${expected}, but the latest is ${revision}`;
  const before = expectedAmount?.toFixed() ?? 'nothing';
  const change = `${before} → ${amount.toFixed()} (revision ${expected} → ${revision})`;
  return `revision: the supplier has declared again: ${change}`;
}
