import { ISO_DATE } from '../domain/iso-date.ts';

// Not every language supports named groups in patterns.
const isoDate = ISO_DATE.source.replaceAll(/\?<\w+>/g, '').replaceAll('(?:', '(');

/**
 * The patterns that documents contain in place of the custom formats of this service. The service accepts every text
 * that matches, except a day that does not exist (2026-02-30) and an instant outside the years 0 to 9999.
 */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  iso8601: isoDate,
  iso8601OrEmpty: isoDate.replace(/^\^(.*)\$$/, '^($1)?$'),
};

export function replaceFormat<Schema extends object>(schema: Schema & { readonly format?: string }) {
  const { format, ...rest } = schema;
  const pattern = FORMAT_PATTERNS[format ?? ''];
  return pattern === undefined ? schema : { ...rest, pattern };
}
