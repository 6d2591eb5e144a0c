import { readFile } from 'node:fs/promises';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { describeSystemError, OperatorError, OutputError } from '../operator-errors.ts';
import type { LogEntry, LoggedDeclaration, OwnedRevision } from '../../../lib/tables/declaration-table.ts';
import { toDeclarationDocument, getDeclaredState } from '../../../lib/contracts/events.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { lockFile } from '../../process/lock-file.ts';
import { defineCommand, EXIT, readInstants, runCommand, zoneOption } from '../command.ts';
import { isSameFile, replaceFile, resolveLinks } from '../out-file.ts';
import {
  csvOption,
  defineList,
  findSheetFormat,
  type ListColumn,
  printList,
  sheetOutOption,
} from '../review/write-sheet.ts';

const COLUMNS: Readonly<Record<string, ListColumn<OwnedRevision>>> = {
  supplier_id: { title: 'supplier', toCell: ({ scope }) => scope.supplierId },
  invoice_id: { title: 'invoice', toCell: ({ revision }) => revision.invoiceId },
  declaration_id: { toCell: ({ revision }) => revision.declarationId },
  revision: { title: 'revision', toCell: ({ revision }) => decimal(revision.revision) },
  declared_amount: { title: 'declared', kind: 'amount', toCell: ({ revision }) => revision.amount },
  declared_tax_pct: { title: 'tax %', kind: 'percentage', toCell: ({ revision }) => revision.taxPct },
  declared_notes: { toCell: ({ revision }) => revision.notes },
  provider_invoice_number: { toCell: ({ revision }) => revision.providerInvoice.number },
  provider_invoice_date: { kind: 'date', toCell: ({ revision }) => revision.providerInvoice.date },
  system_amount: { title: 'system', kind: 'amount', toCell: ({ revision }) => revision.systemAmount },
  difference: { title: 'difference', kind: 'amount', toCell: ({ revision }) => revision.outcome.difference },
  difference_pct: { title: '%', kind: 'percentage', toCell: ({ revision }) => revision.outcome.differencePct },
  within_tolerance: { toCell: ({ revision }) => String(revision.outcome.withinTolerance) },
  action: { title: 'action', toCell: ({ revision }) => revision.outcome.action },
  state_code: { title: 'state', toCell: ({ revision }) => getDeclaredState(revision) },
  held_for_review: { toCell: ({ revision }) => String(revision.requiresManualReview) },
  tolerance_mode: { toCell: ({ revision }) => revision.tolerance.mode },
  tolerance_pct: { kind: 'percentage', toCell: ({ revision }) => revision.tolerance.pct },
  tolerance_abs: { kind: 'amount', toCell: ({ revision }) => revision.tolerance.abs },
  auto_approve: { toCell: ({ revision }) => String(revision.tolerance.autoApprove) },
  tolerance_source: { toCell: ({ revision }) => revision.tolerance.source },
  declared_by: { toCell: ({ revision }) => revision.declaredBy },
  declared_at: { title: 'declared at', kind: 'date', toCell: ({ revision }) => revision.declaredAt },
  request_id: { toCell: ({ revision }) => revision.requestId },
};

export const DECLARATION_LIST = defineList('Declarations', COLUMNS, ({ scope, revision }) => ({
  supplier_id: scope.supplierId,
  invoice_id: revision.invoiceId,
  ...toDeclarationDocument(revision),
  state_code: getDeclaredState(revision),
}));

export const exportDeclarationsCommand = defineCommand('export-declarations', {
  summary: 'Print the declarations after a cursor. Over any number of runs, each is printed exactly once.',
  example: 'export-declarations demo.example --since 2026-07-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the declarations')
  .option('--since <cursor>', 'cursor that the last run printed, or a time')
  .option('--cursor-file <file>', 'begin at the cursor in this file, if it exists, and replace it by the next cursor')
  .addOption(zoneOption)
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .action((tenant, { since, cursorFile, zone, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const format = findSheetFormat(options);
      const sinceCursor = since !== undefined && isCursor(since) ? since : null;
      if (cursorFile !== undefined && sinceCursor !== null) {
        throw new OperatorError('--since CURSOR cannot be used with --cursor-file. Omit one of them.');
      }
      if (cursorFile !== undefined && options.out !== undefined && (await isSameFile(options.out, cursorFile))) {
        throw new OperatorError('--out and --cursor-file name the same file.');
      }
      const lock = cursorFile === undefined ? null : await lockCursor(cursorFile);
      try {
        const text = lock ? await readCursorFile(lock.target) : sinceCursor;
        const after = text === null ? [] : parseCursor(text, tenant);
        // If the file cannot be replaced, for example on a full disk, nothing is printed.
        if (lock && text !== null) await replaceFile(lock.target, text);
        // A time in --since is for the first run only.
        const sinceMs = since === undefined || text !== null ? -Infinity : readInstants('--since', since, zone).startMs;
        const { declarations, cursor } = exportDeclarations(ports, tenant, after);
        async function* readSince() {
          for await (const page of declarations) {
            yield page.filter(({ revision }) => Date.parse(revision.declaredAt) >= sinceMs);
          }
        }
        const getNextCursor = () => `1:${tenant}:${cursor().join('.')}`;
        const end = () => ({ cursor: getNextCursor() });
        await printList(output, readSince(), DECLARATION_LIST, { tenant, format, end });
        await output.complete();
        if (lock) await replaceFile(lock.target, `${getNextCursor()}\n`);
        output.note(`Next cursor: ${getNextCursor()}`);
      } finally {
        lock?.release();
      }
    }),
  );

/** Locks a cursor file, and resolves its links; throws an OutputError if that fails, or if another command has it. */
async function lockCursor(path: string) {
  try {
    const target = await resolveLinks(path);
    const release = lockFile(`${target}.lock`);
    if (release) return { target, release };
  } catch (error) {
    const reason = describeSystemError(error);
    throw new OutputError(`The cursor file ${path} cannot be written, or ${path}.lock is not a lock: ${reason}`);
  }
  throw new OutputError('Another command is running with this cursor file.');
}

/** Reads the file of a cursor; null if it does not exist. Throws an OperatorError if it cannot be read. */
function readCursorFile(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new OperatorError(`The file ${path} cannot be read: ${error.message}`);
  });
}

/** The position of an export in the log of a tenant: the number of the latest exported entry of each shard. */
export type ExportCursor = readonly number[];

/** True if a text has the form of a cursor; a date does not have it. */
const isCursor = (text: string) => /^\d+:[^:]*:/.test(text);

/** Parses a cursor; throws an OperatorError if it is invalid, or the cursor of another tenant. */
function parseCursor(text: string, tenant: string): ExportCursor {
  const [, owner, numbers] = /^1:([^:]+):(\d{1,15}(?:\.\d{1,15})*)$/.exec(text.trim()) ?? [];
  if (!owner || !numbers) throw new OperatorError('The cursor is invalid: export-declarations did not print it.');
  if (owner !== tenant) throw new OperatorError(`The cursor is of ${owner}, not of ${tenant}.`);
  return numbers.split('.').map(Number);
}

const OF_OTHER_DATA = 'The cursor belongs to other data: it is ahead of the declarations of this service.';

/**
 * Exports the declarations of a tenant after a cursor (empty: all). Over any number of exports, each from the cursor of
 * the one before, every declaration is exported exactly once. Throws an OperatorError for a cursor of other data.
 */
export function exportDeclarations(
  { declarationLog: log }: Pick<AdminPorts, 'declarationLog'>,
  tenant: string,
  after: ExportCursor,
) {
  if (after.length > log.shardCount) throw new OperatorError(OF_OTHER_DATA);
  // The entries of a shard up to `number` are exported; `next` contains the entries after it that were read.
  const shards = Array.from({ length: log.shardCount }, (_, index) => {
    return { index, number: after[index] ?? 0, latest: 0, next: [] as readonly LogEntry[] };
  });
  type Shard = (typeof shards)[number];

  async function readNext(shard: Shard): Promise<LogEntry> {
    if (shard.next.length === 0) shard.next = await log.readAfter(tenant, shard.index, shard.number);
    return shard.next[0] as LogEntry;
  }

  /** Yields the entries of a shard up to a number, each after the entries of other shards that its declarations follow. */
  async function* readUpTo(shard: Shard, number: number): AsyncGenerator<readonly LoggedDeclaration[], void> {
    while (shard.number < number) {
      const { declarations } = await readNext(shard);
      for (const { follows } of declarations) {
        const other = follows && shards[follows.shard];
        if (other && other !== shard) yield* readUpTo(other, follows.number);
      }
      shard.next = shard.next.slice(1);
      shard.number += 1;
      yield declarations;
    }
  }

  async function* readAll(): AsyncGenerator<readonly LoggedDeclaration[], void> {
    await Promise.all(
      shards.map(async (shard) => {
        shard.latest = await log.readLatestNumber(tenant, shard.index);
        if (shard.latest < shard.number) throw new OperatorError(OF_OTHER_DATA);
      }),
    );
    for (;;) {
      const behind = shards.filter(({ number, latest }) => number < latest);
      const next = await Promise.all(behind.map(async (shard) => ({ shard, time: getTime(await readNext(shard)) })));
      const [first] = next.toSorted((a, b) => a.time.localeCompare(b.time));
      if (!first) return;
      yield* readUpTo(first.shard, first.shard.number + 1);
    }
  }

  return {
    /**
     * The declarations that were committed after the cursor and before the export began (and maybe later ones), by
     * transaction: roughly in the order of their times, those of an invoice in the order of its revisions.
     */
    declarations: readAll(),
    cursor: (): ExportCursor => shards.map(({ number }) => number),
  };
}

const getTime = ({ declarations }: LogEntry) => declarations[0]?.revision.declaredAt ?? '';

const NOT_FOUND =
  'No declaration was saved: the request was read-only, was rejected, changed nothing, or failed before the write. ' +
  'A write of the last seconds may not be visible yet.';

export const findRequestCommand = defineCommand('find-request', {
  summary: 'Find the declarations that a request saved. The header X-Request-Id of its response contains the id.',
  example: 'find-request 5d0c3f6e-1d3b-4b7e-9a55-0c8a1f6d2b11 --local',
})
  .argument('<request-id>', 'the X-Request-Id of the response')
  .action((requestId, options) =>
    runCommand(options, async ({ ports, output }) => {
      const found = await ports.declarations.findByRequest(requestId);
      const { header, toRow, toDocument } = DECLARATION_LIST;
      if (found.length > 0) {
        output.line(`Request ${requestId} was saved. Declarations: ${found.length}.`);
        output.table(
          ['tenant', ...header],
          found.map((declaration) => [declaration.scope.tenant, ...toRow(declaration)]),
        );
      } else output.line(`No declaration has the request id ${requestId}. ${NOT_FOUND}`);
      const declarations = found.map((declaration) => {
        return { tenant: declaration.scope.tenant, ...toDocument(declaration) };
      });
      output.document({ request_id: requestId, landed: found.length > 0, declarations });
      return found.length > 0 ? EXIT.done : EXIT.rejected;
    }),
  );
