type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Parses JSON; the numbers of these properties come back as the text that was written, so that no digit is lost in a
 * float.
 */
export function parseExactJson(text: string, decimalProperties: ReadonlySet<string>): unknown {
  const keepDigits: SourceReviver = (name, value, { source }) =>
    typeof value === 'number' && decimalProperties.has(name) ? source : value;
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
}
