import type { Tolerance } from '../../../lib/domain/tolerance.ts';

/** Describes a tolerance and its source: `PCT 5 %, auto-approve (proveedor)`. */
export function toleranceText(tolerance: Tolerance): string {
  return `${limitsText(tolerance)} (${tolerance.source})`;
}

/** Describes the limits of a tolerance: `AMB 5 % and 100, review only`. */
export function limitsText({ mode, pct, abs, autoApprove }: Omit<Tolerance, 'source'>): string {
  if (mode === null) return 'none';
  const limits = [...(mode === 'ABS' ? [] : [`${pct?.toFixed()} %`]), ...(mode === 'PCT' ? [] : [`${abs?.toFixed()}`])];
  return `${mode} ${limits.join(' and ')}, ${autoApprove ? 'auto-approve' : 'review only'}`;
}
