import { toStartInstant } from '../../../lib/domain/iso-date.ts';
import { defineCommand, readInstants, runCommand, zoneOption } from '../command.ts';
import { type ChangeResult, describeResult, toText } from '../directory/change-directory.ts';
import { WHOLE_SERVICE } from '../tables/watch-writes.ts';
import type { ListView } from '../output/output.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';

// The maximum number of changes in a row of the table. The document of --json contains all stored changes.
const SHOWN_CHANGES = 3;

const ENTRY_VIEW: ListView<OperatorEntry> = {
  header: ['time', 'operator', 'command', 'status', 'items', 'reason', 'changes', 'id'],
  toRow({ time, command, arguments: args, status, items, reason, changes, ...entry }) {
    const shown = changes.slice(0, SHOWN_CHANGES).map((change) => describeResult(JSON.parse(change) as ChangeResult));
    if (changes.length > SHOWN_CHANGES) shown.push(`${changes.length - SHOWN_CHANGES} more`);
    const call = [command, ...args].join(' ');
    return [
      time,
      describeOperator(entry),
      call,
      status,
      String(items),
      toText(reason, '-'),
      shown.join('; ') || '-',
      entry.id,
    ];
  },
  toDocument: (entry) => ({ ...entry, changes: entry.changes.map((change) => JSON.parse(change) as ChangeResult) }),
};

const describeOperator = ({ operator, by }: Pick<OperatorEntry, 'operator' | 'by'>) =>
  by === undefined ? operator : `${operator} (${by})`;

export const auditCommand = defineCommand('audit', {
  summary: 'List the commands that changed data of a tenant, with their operators, results and changes, oldest first.',
  example: 'audit demo.example --since 2026-08-01 --local',
})
  .argument('[tenant]', 'the tenant (default: commands that change the whole service, such as rotate-signing-key)')
  .option('--since <time>', 'only commands of this time or later')
  .addOption(zoneOption)
  .option('--by <text>', 'only commands whose operator or name of --by contains this text')
  .action((tenant = WHOLE_SERVICE, { since = toStartInstant('0000-01-01'), zone, by = '', ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const start = new Date(readInstants('--since', since, zone).startMs).toISOString();
      async function* readPages() {
        for await (const page of ports.operatorEntries.pages(tenant, start)) {
          yield page.filter((entry) => describeOperator(entry).toLowerCase().includes(by.toLowerCase()));
        }
      }
      await output.list({ tenant }, 'entries', readPages(), ENTRY_VIEW);
    }),
  );
