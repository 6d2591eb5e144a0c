import { toStartInstant } from '../../../lib/domain/iso-date.ts';
import { defineCommand, matching, readInstants, runCommand, zoneOption } from '../command.ts';
import { type ChangeResult, describeResult, toText } from '../directory/change-directory.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { WHOLE_SERVICE } from '../tables/watch-writes.ts';
import type { ListView } from '../output/output.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';

// The maximum width of a cell. The document of --json contains the whole texts.
const MAX_CHARACTERS = 60;

const { time, author, command, status, items, reason, change } = opsTexts.titles;

const ENTRY_VIEW: ListView<OperatorEntry> = {
  get header() {
    return [...[time, author, command, status, items, reason, change].map(translate), 'id'];
  },
  toRow(entry) {
    const operator = describeOperator(entry).replace(/^arn:[^/]*:/, '');
    const call = [entry.command, ...entry.arguments].join(' ');
    const results = entry.changes.map((text) => describeResult(JSON.parse(text) as ChangeResult)).join('; ');
    const texts = [operator, call, entry.status, String(entry.items), entry.reason, results];
    return [entry.time, ...texts.map((text) => shorten(toText(text, '-'))), entry.id];
  },
  toDocument: (entry) => ({ ...entry, changes: entry.changes.map((text) => JSON.parse(text) as ChangeResult) }),
};

const shorten = (text: string) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text);

const describeOperator = ({ operator, by }: Pick<OperatorEntry, 'operator' | 'by'>) =>
  by === undefined ? operator : `${operator} (${by})`;

export const auditCommand = defineCommand('audit', {
  summary: 'List the commands that changed data of a tenant, with their operators, results and changes, newest first.',
  example: 'audit demo.example --since 2026-08-01 --local',
})
  .argument('[tenant]', 'the tenant (default: commands that change the whole service, such as rotate-signing-key)')
  .option('--since <time>', 'only commands of this time or later')
  .addOption(zoneOption)
  .addOption(languageOption)
  .option('--by <text>', 'only commands whose operator or name of --by contains this text')
  .option('--limit <number>', 'at most this number of commands', matching(/^[1-9]\d{0,8}$/, 'a whole number above 0'))
  .action((tenant = WHOLE_SERVICE, { since = toStartInstant('0000-01-01'), zone, by = '', limit, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const start = new Date(readInstants('--since', since, zone).startMs).toISOString();
      async function* readPages() {
        let left = Number(limit ?? Infinity);
        for await (const page of ports.operatorEntries.pages(tenant, start, { newestFirst: true })) {
          const selected = page.filter((entry) => describeOperator(entry).toLowerCase().includes(by.toLowerCase()));
          yield selected.slice(0, left);
          left -= selected.length;
          if (left <= 0) return;
        }
      }
      await output.list({ tenant }, 'entries', readPages(), ENTRY_VIEW);
    }),
  );
