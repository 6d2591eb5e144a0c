import type { Sums } from '../../../lib/admin/review/sums.ts';
import { counted } from '../counted.ts';

/** What some invoices come to, as a line for people. */
export function sumsLine({ invoices, declared, systemAmount, declaredAmount, difference }: Sums): string {
  const amounts = `declared ${declaredAmount.toFixed()}, difference ${difference.toFixed()}`;
  return `${counted(invoices, 'invoice')} (${declared} declared): system ${systemAmount.toFixed()}, ${amounts}`;
}

/** The same for scripts; `difference` is of those that are declared. */
export function sumsDocument({ invoices, declared, systemAmount, declaredAmount, difference }: Sums) {
  return {
    count: invoices,
    declared_count: declared,
    system_amount: systemAmount.toNumber(),
    declared_amount: declaredAmount.toNumber(),
    difference: difference.toNumber(),
  };
}
