import type { Tolerance } from '../../../lib/domain/tolerance.ts';

/** A tolerance in a few words, with where it comes from: `PCT 5 %, auto-approve (proveedor)`. */
export function toleranceText({ mode, pct, abs, autoApprove, source }: Tolerance): string {
  if (mode === null) return `none (${source})`;
  const limits = [...(mode === 'ABS' ? [] : [`${pct?.toFixed()} %`]), ...(mode === 'PCT' ? [] : [`${abs?.toFixed()}`])];
  return `${mode} ${limits.join(' and ')}, ${autoApprove ? 'auto-approve' : 'review only'} (${source})`;
}
