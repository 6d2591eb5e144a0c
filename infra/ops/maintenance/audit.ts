import { defineCommand, matching, runCommand, type Session } from '../command.ts';
import type { ChangeResult } from '../directory/change-result.ts';
import { describeResult, toText } from '../directory/print-result.ts';
import type { ListView } from '../output/output.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';
import { WHOLE_SERVICE } from '../tables/watch-writes.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

// The maximum width of a cell. The document of --json contains the whole strings.
const MAX_CHARACTERS = 60;

const ENTRY_VIEW: ListView<OperatorEntry> = {
  get header() {
    const { time, author, command: call, status, items, reason, change } = opsTexts.titles;
    return [...[time, author, call, status, items, reason, change].map(translate), 'id'];
  },
  toRow(entry) {
    // Shortens `arn:aws:sts::123456789012:assumed-role/…` to `assumed-role/…`, so that the name fits into the cell.
    const operator = describeOperator(entry).replace(/^arn:[^/]*:/, '');
    const call = [entry.command, ...entry.arguments].join(' ');
    const results = parseChanges(entry).map(describeResult).join('; ');
    const texts = [operator, call, entry.status, String(entry.items), entry.reason, results];
    return [entry.time, ...texts.map((text) => shorten(toText(text, '-'))), entry.id];
  },
  toDocument: (entry) => ({ ...entry, changes: parseChanges(entry) }),
};

const command = defineCommand('audit', {
  summary: 'List the commands that changed data of a tenant, with their operators, results and changes, newest first.',
  example: 'audit demo.example --limit 10 --local',
})
  .argument('[tenant]', 'the tenant (default: commands that change the whole service, such as rotate-signing-key)')
  .addOption(languageOption)
  .option('--by <text>', 'only commands whose operator or name of --by contains this text')
  .option('--limit <number>', 'at most this number of commands', matching(/^[1-9]\d{0,8}$/, 'a whole number above 0'));

type Options = ReturnType<typeof command.opts>;

export const auditCommand = command.action((tenant = WHOLE_SERVICE, options) =>
  runCommand(options, (session) => listEntries(session, tenant, options)),
);

async function listEntries({ ports, output }: Session, tenant: string, options: Options): Promise<void> {
  const pages = ports.operatorEntries.pages(tenant, { newestFirst: true });
  await output.list({ tenant }, 'entries', selectEntries(pages, options), ENTRY_VIEW);
}

async function* selectEntries(pages: AsyncIterable<readonly OperatorEntry[]>, { by = '', limit }: Options) {
  let remaining = limit === undefined ? Infinity : Number(limit);
  for await (const page of pages) {
    const selected = page.filter((entry) => describeOperator(entry).toLowerCase().includes(by.toLowerCase()));
    yield selected.slice(0, remaining);
    remaining -= selected.length;
    if (remaining <= 0) return;
  }
}

function describeOperator({ operator, by }: Pick<OperatorEntry, 'operator' | 'by'>): string {
  return by === undefined ? operator : `${operator} (${by})`;
}

function parseChanges({ changes }: OperatorEntry): ChangeResult[] {
  return changes.map((text) => JSON.parse(text) as ChangeResult);
}

function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text;
}
