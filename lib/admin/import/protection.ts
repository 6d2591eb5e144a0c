import type { Invoice } from '../../domain/invoice.ts';
import { isSystemAmountFixed } from '../../domain/invoice-state-change.ts';
import { mayMove } from '../../domain/invoice-states.ts';

/** Why an import may change protected invoices, and who decided it; the history keeps both. */
export interface Force {
  readonly changedBy: string;
  readonly reason: string;
}

/**
 * Returns why an import must not make a change without --force: the change alters a fixed system amount, or the declared
 * amount of a settled invoice, or the invoice leaves LIQ. Returns null for every other change.
 */
export function findProtectionFault(before: Invoice, after: Invoice): string | null {
  const faults: string[] = [];
  if (isSystemAmountFixed(before) && !before.systemAmount.eq(after.systemAmount)) {
    const { declaration, state } = before;
    const declared = declaration ? `, with ${declaration.amount.toFixed()} declared` : '';
    const amounts = `${before.systemAmount.toFixed()} → ${after.systemAmount.toFixed()}`;
    faults.push(`system_amount: ${amounts}, but the invoice is ${state}${declared}`);
  }
  const [declaredBefore, declaredAfter] = [before, after].map(({ declaration }) => declaration?.amount.toFixed());
  if (before.state === 'LIQ' && declaredBefore !== declaredAfter) {
    faults.push(`declared_amount: ${declaredBefore ?? 'none'} → ${declaredAfter}, but the invoice is LIQ`);
  }
  if (!mayMove(before.state, after.state)) {
    faults.push(`state_code: ${before.state} → ${after.state}, but the invoice is settled`);
  }
  return faults.length > 0 ? `${faults.join('; ')}; --force with --reason changes it` : null;
}
