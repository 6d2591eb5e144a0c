import type { Output } from '../output/output.ts';
import type { ChangeResult, Difference } from './change-result.ts';

type PrintSettings = { readonly output: Output; readonly dryRun: boolean };

export function printResult(session: PrintSettings, result: ChangeResult): void {
  const printedResult = printChange(session, result);
  if (result.outcome === 'left') session.output.line('There is nothing to change.');
  session.output.document(printedResult);
}

/** Prints a result in lines, and returns it for the JSON document. A dry run omits a generated key, which is not stored. */
export function printChange({ output, dryRun }: PrintSettings, result: ChangeResult): ChangeResult {
  const printedResult = dryRun ? { ...result, generated_key: undefined } : result;
  const { generated_key: key } = printedResult;
  const keyText = key === undefined ? '' : `: ${key} (shown only once)`;
  output.line(`${result.outcome.padEnd(8)}  ${describeSubject(result)}${keyText}`);
  for (const difference of result.changes) output.line(`    ${describeDifference(difference)}`);
  for (const { property, value, reason } of result.left_alone ?? []) {
    output.line(`    ${property}: kept ${value}, because ${reason}`);
  }
  return printedResult;
}

/** Describes a result in one line, with the properties of an entity that existed before. */
export function describeResult(result: ChangeResult): string {
  const differences = result.outcome === 'created' ? [] : result.changes.map(describeDifference);
  return [`${result.outcome} ${describeSubject(result)}`, ...differences].join(', ');
}

function describeDifference({ property, before, after }: Difference): string {
  if (before === undefined && after === undefined) return `${property}: changed`;
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
