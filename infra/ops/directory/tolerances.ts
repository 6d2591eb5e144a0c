import type { Tolerance } from '../../../lib/domain/tolerance.ts';

/** Describes a tolerance and its source, such as `PCT 5 %, auto-approve (proveedor)`. */
export function describeTolerance(tolerance: Tolerance): string {
  return `${describeLimits(tolerance)} (${tolerance.source})`;
}

/** Describes the limits of a tolerance, such as `AMB 5 % and 100, review only`. */
export function describeLimits({ mode, pct, abs, autoApprove }: Omit<Tolerance, 'source'>): string {
  if (mode === null) return 'none';
  const limits: string[] = [];
  if (mode !== 'ABS') limits.push(`${pct?.toFixed()} %`);
  if (mode !== 'PCT') limits.push(`${abs?.toFixed()}`);
  const approval = autoApprove ? 'auto-approve' : 'review only';
  return `${mode} ${limits.join(' and ')}, ${approval}`;
}
