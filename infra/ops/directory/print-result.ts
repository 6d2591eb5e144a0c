import type { Output } from '../output/output.ts';
import type { ChangeResult } from './change-directory.ts';

type PrintSettings = { readonly output: Output; readonly dryRun: boolean };

/** Prints the result of a command that changes the directory. */
export function printResult(session: PrintSettings, result: ChangeResult): void {
  const shown = printChange(session, result);
  if (result.outcome === 'left') session.output.line('There is nothing to change.');
  session.output.document(shown);
}

/**
 * Prints a line about a result, and a line for each property that changes or is kept. Returns the result for the JSON
 * document. In a dry run, the generated key is omitted, because it is not stored.
 */
export function printChange({ output, dryRun }: PrintSettings, result: ChangeResult): ChangeResult {
  const shown = dryRun ? { ...result, generated_key: undefined } : result;
  const keyText = shown.generated_key === undefined ? '' : `: ${shown.generated_key} (shown only once)`;
  output.line(`${result.outcome.padEnd(8)}  ${describeSubject(result)}${keyText}`);
  for (const change of result.changes) output.line(`    ${describeDifference(change)}`);
  for (const { property, value, reason } of result.left_alone ?? []) {
    output.line(`    ${property}: kept ${value}, because ${reason}`);
  }
  return shown;
}

/** Describes a result in one line, with the properties of an entity that existed before. */
export function describeResult(result: ChangeResult): string {
  const differences = result.outcome === 'created' ? [] : result.changes.map(describeDifference);
  return [`${result.outcome} ${describeSubject(result)}`, ...differences].join(', ');
}

function describeDifference({ property, before, after }: ChangeResult['changes'][number]): string {
  const hasValues = before !== undefined || after !== undefined;
  if (!hasValues) return `${property}: changed`;
  return `${property}: ${toText(before, '(none)')} -> ${toText(after, '(none)')}`;
}

/** Formats a value of a record. Returns `absent` for a value that is null or empty. */
export function toText(value: unknown, absent: string): string {
  const text = Array.isArray(value) ? value.join(', ') : String((value as string | number | null) ?? '');
  return text === '' ? absent : text;
}

function describeSubject({ kind, tenant, company_id, supplier_id, user_id, email, name }: ChangeResult): string {
  if (kind === 'tenant') return `tenant ${tenant}`;
  if (kind === 'api_key') return `API key "${name}" of company ${company_id} of ${tenant}`;
  const address = email ? ` (${email})` : '';
  return `${kind} ${supplier_id ?? user_id ?? company_id}${address} of ${tenant}`;
}
