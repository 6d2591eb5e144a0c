/**
 * What was read where: a value still to be checked, with the faults that it has already, or why there is none; `source`
 * is JSON that says what was written.
 */
export type SourceRecord = { readonly line: number; readonly source: string } & (
  { readonly value: unknown; readonly faults?: readonly string[] } | { readonly fault: string }
);
