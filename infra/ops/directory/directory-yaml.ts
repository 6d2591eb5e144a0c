import { stringify } from 'yaml';
import { printableJson } from '../../printable.ts';

// Every text in quotes and on one line: whatever it holds, neither YAML nor a terminal takes it for anything else.
const STYLE = {
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'PLAIN',
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  lineWidth: 0,
} as const;

const ENTRY_INDENT = ' '.repeat(6);

/** A file of `apply` with one tenant, in parts: the beginning, with the tenant itself. */
export function tenantYaml(tenant: object): string {
  return printableJson(stringify({ tenants: [tenant] }, STYLE));
}

/** The heading of one of its lists, such as `users`. */
export function listHeadingYaml(list: string): string {
  return `    ${list}:\n`;
}

/** Entries of the list. */
export function entriesYaml(entries: readonly object[]): string {
  return printableJson(stringify(entries, STYLE)).replaceAll(/^/gm, ENTRY_INDENT).trimEnd() + '\n';
}
