import { readFile } from 'node:fs/promises';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { fileErrors } from '../../../lib/client/spreadsheets/system-errors.ts';
import { describeSystemError, OperatorError, OutputError } from '../operator-errors.ts';
import type { LogEntry, LoggedDeclaration, OwnedRevision } from '../../../lib/tables/declaration-table.ts';
import { toDeclarationDocument, getDeclaredState } from '../../../lib/contracts/events.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { lockFile } from '../../process/lock-file.ts';
import { readTenant } from '../directory/read-directory.ts';
import { defineCommand, EXIT, readInstants, runCommand, zoneOption } from '../command.ts';
import { isSameFile, replaceFile, resolveLinks } from '../output/out-file.ts';
import {
  csvOption,
  defineList,
  findSheetFormat,
  type ListColumn,
  printList,
  sheetOutOption,
} from '../output/write-sheet.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

const { titles } = opsTexts;

const COLUMNS: Readonly<Record<string, ListColumn<OwnedRevision>>> = {
  supplier_id: { title: titles.supplier, toCell: ({ scope }) => scope.supplierId },
  invoice_id: { title: titles.invoice, toCell: ({ revision }) => revision.invoiceId },
  declaration_id: { toCell: ({ revision }) => revision.declarationId },
  revision: { title: titles.revision, toCell: ({ revision }) => decimal(revision.revision) },
  declared_amount: { title: titles.declared, kind: 'amount', toCell: ({ revision }) => revision.amount },
  declared_tax_pct: { title: titles.tax, kind: 'percentage', toCell: ({ revision }) => revision.taxPct },
  declared_notes: { toCell: ({ revision }) => revision.notes },
  provider_invoice_number: { toCell: ({ revision }) => revision.providerInvoice.number },
  provider_invoice_date: { kind: 'date', toCell: ({ revision }) => revision.providerInvoice.date },
  system_amount: { title: titles.system, kind: 'amount', toCell: ({ revision }) => revision.systemAmount },
  difference: { title: titles.difference, kind: 'amount', toCell: ({ revision }) => revision.outcome.difference },
  difference_pct: {
    title: titles.percentage,
    kind: 'percentage',
    toCell: ({ revision }) => revision.outcome.differencePct,
  },
  within_tolerance: { toCell: ({ revision }) => String(revision.outcome.isWithinTolerance) },
  action: { title: titles.action, toCell: ({ revision }) => revision.outcome.action },
  state_code: { title: titles.state, toCell: ({ revision }) => getDeclaredState(revision) },
  held_for_review: { toCell: ({ revision }) => String(revision.requiresManualReview) },
  tolerance_mode: { toCell: ({ revision }) => revision.tolerance.mode },
  tolerance_pct: { kind: 'percentage', toCell: ({ revision }) => revision.tolerance.pct },
  tolerance_abs: { kind: 'amount', toCell: ({ revision }) => revision.tolerance.abs },
  auto_approve: { toCell: ({ revision }) => String(revision.tolerance.autoApprove) },
  tolerance_source: { toCell: ({ revision }) => revision.tolerance.source },
  declared_by: { toCell: ({ revision }) => revision.declaredBy },
  declared_at: { title: titles.declaredAt, kind: 'date', toCell: ({ revision }) => revision.declaredAt },
  request_id: { toCell: ({ revision }) => revision.requestId },
};

export const DECLARATION_LIST = defineList('Declarations', COLUMNS, ({ scope, revision }) => ({
  supplier_id: scope.supplierId,
  invoice_id: revision.invoiceId,
  ...toDeclarationDocument(revision),
  state_code: getDeclaredState(revision),
}));

export const exportDeclarationsCommand = defineCommand('export-declarations', {
  summary:
    'Print the declarations since the previous export. Pass the cursor of the previous run to print each declaration ' +
    'exactly once.',
  example: 'export-declarations demo.example --since 2026-07-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the declarations')
  .option('--since <cursor>', 'the cursor that the previous run printed, or a time')
  .option('--cursor-file <file>', 'continue at the cursor in this file, and save the next cursor there')
  .addOption(zoneOption)
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .addOption(languageOption)
  .action((tenant, { since, cursorFile, zone, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const format = findSheetFormat(options);
      const sinceCursor = since !== undefined && isCursor(since) ? since : null;
      if (cursorFile !== undefined && sinceCursor !== null) {
        throw new OperatorError(translate(opsTexts.cursorWithFile));
      }
      if (cursorFile !== undefined && options.out !== undefined && (await isSameFile(options.out, cursorFile))) {
        throw new OperatorError(translate(opsTexts.cursorIsOutFile));
      }
      await readTenant(ports, tenant);
      const lock = cursorFile === undefined ? null : await lockCursor(cursorFile);
      try {
        const cursorText = lock ? await readCursorFile(lock.target) : sinceCursor;
        const epoch = await ports.declarationLog.readEpoch(tenant);
        const cursor = cursorText === null ? [] : parseCursor(cursorText, tenant, epoch);
        // Written once unchanged: if the file cannot be replaced, for example on a full disk, nothing is printed.
        if (lock && cursorText !== null) await replaceFile(lock.target, cursorText);
        // A time in --since is for the first run only.
        const sinceTime = cursorText === null ? since : undefined;
        const sinceMs = sinceTime === undefined ? -Infinity : readInstants('--since', sinceTime, zone).startMs;
        const { declarations, getCursor } = exportDeclarations(ports, tenant, cursor);
        const pages = selectSince(declarations, sinceMs);
        // In the first epoch, version 1.1.0 can also read a cursor of up to 32 numbers.
        const prefix = epoch === null ? `1:${tenant}` : `2:${tenant}:${epoch}`;
        const formatNextCursor = () => `${prefix}:${formatNumbers(getCursor())}`;
        const end = () => ({ cursor: formatNextCursor() });
        await printList(output, pages, DECLARATION_LIST, { tenant, format, end });
        await output.complete();
        if (lock) await replaceFile(lock.target, `${formatNextCursor()}\n`);
        output.note(translate(opsTexts.nextCursor(formatNextCursor())));
      } finally {
        lock?.release();
      }
    }),
  );

async function* selectSince(pages: AsyncIterable<readonly LoggedDeclaration[]>, sinceMs: number) {
  for await (const page of pages) yield page.filter(({ revision }) => Date.parse(revision.declaredAt) >= sinceMs);
}

/** Locks a cursor file, and resolves its links. Throws an OutputError on failure, or if the file is locked. */
async function lockCursor(path: string) {
  try {
    const target = await resolveLinks(path);
    const release = lockFile(`${target}.lock`);
    if (release) return { target, release };
  } catch (error) {
    const reason = describeSystemError(error);
    throw new OutputError(translate(opsTexts.cannotLock(path, reason)));
  }
  throw new OutputError(translate(opsTexts.isLocked));
}

/** Reads a cursor file; returns null if it does not exist. Throws an OperatorError if it cannot be read. */
function readCursorFile(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new OperatorError(translate(fileErrors.cannotRead(path, describeSystemError(error))));
  });
}

/** The position of an export in the log of a tenant: for each shard, the number of the latest exported entry, or 0. */
export type ExportCursor = readonly number[];

/** True if a text begins like a cursor, such as `1:demo.example:`. No date begins like this. */
const isCursor = (text: string) => /^\d+:[^:]*:/.test(text);

/** Parses a cursor, such as `1:demo.example:118.0.42`. Throws an OperatorError for another tenant or epoch. */
function parseCursor(text: string, tenant: string, epoch: string | null): ExportCursor {
  const format = /^(?:1:([^:]+)|2:([^:]+):([\w-]+)):(\d{1,15}(?:\.\d{1,15})*)$/;
  const [, firstOwner, laterOwner, ownEpoch = null, numbers] = format.exec(text.trim()) ?? [];
  const owner = firstOwner ?? laterOwner;
  if (!owner || !numbers) throw new OperatorError(translate(opsTexts.invalidCursor));
  if (owner !== tenant) throw new OperatorError(translate(opsTexts.cursorOfOther(owner, tenant)));
  if (ownEpoch !== epoch) throw new OperatorError(translate(opsTexts.oldCursor));
  return numbers.split('.').map(Number);
}

/** Formats the numbers of a cursor, without zeros at the end. */
const formatNumbers = (cursor: ExportCursor) => cursor.join('.').replace(/(?:\.0)+$/, '');

type ReadLog = Pick<AdminPorts['declarationLog'], 'shardCount' | 'readLatestNumbers' | 'readAfter'>;

/**
 * Exports the declarations of a tenant after a cursor (empty: all). If each export begins at the cursor of the previous
 * one, every declaration is exported exactly once. Throws an OperatorError for a cursor of other data.
 */
export function exportDeclarations(
  { declarationLog: log }: { readonly declarationLog: ReadLog },
  tenant: string,
  cursor: ExportCursor,
) {
  if (cursor.length > log.shardCount) throw new OperatorError(translate(opsTexts.foreignCursor));
  // `exported` is the number of the latest exported entry. The buffer contains the entries after it that were read.
  const shards = Array.from({ length: log.shardCount }, (_, index) => {
    return { index, exported: cursor[index] ?? 0, buffer: [] as readonly LogEntry[] };
  });
  type Shard = (typeof shards)[number];
  const getTime = ({ buffer }: Shard) => buffer[0]?.declarations[0]?.revision.declaredAt ?? '';

  async function readNext(shard: Shard): Promise<LogEntry> {
    if (shard.buffer.length === 0) shard.buffer = await log.readAfter(tenant, shard.index, shard.exported);
    return shard.buffer[0] as LogEntry;
  }

  /** Yields the entries of a shard up to a number. Before each entry, yields the entries with previous revisions. */
  async function* readUpTo(shard: Shard, number: number): AsyncGenerator<readonly LoggedDeclaration[], void> {
    while (shard.exported < number) {
      const { declarations } = await readNext(shard);
      for (const { previousPosition } of declarations) {
        const other = previousPosition && shards[previousPosition.shard];
        if (other && other !== shard) yield* readUpTo(other, previousPosition.number);
      }
      shard.buffer = shard.buffer.slice(1);
      shard.exported += 1;
      yield declarations;
    }
  }

  async function* readAll(): AsyncGenerator<readonly LoggedDeclaration[], void> {
    const latestNumbers = await log.readLatestNumbers(tenant);
    const countRemaining = ({ index, exported }: Shard) => (latestNumbers[index] ?? 0) - exported;
    if (shards.some((shard) => countRemaining(shard) < 0)) throw new OperatorError(translate(opsTexts.foreignCursor));
    for (;;) {
      const unfinished = shards.filter((shard) => countRemaining(shard) > 0);
      await Promise.all(unfinished.filter(({ buffer }) => buffer.length === 0).map(readNext));
      let [earliest] = unfinished;
      for (const shard of unfinished) if (earliest && getTime(shard) < getTime(earliest)) earliest = shard;
      if (!earliest) return;
      yield* readUpTo(earliest, earliest.exported + 1);
    }
  }

  return {
    /**
     * The declarations after the cursor, by transaction: all that were committed before the export began, and maybe
     * later ones. The order of their times is approximate. The declarations of an invoice are in order of revision.
     */
    declarations: readAll(),
    getCursor: (): ExportCursor => shards.map(({ exported }) => exported),
  };
}

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
      const declarations = await ports.declarations.findByRequest(requestId);
      const { header, toRow, toDocument } = DECLARATION_LIST;
      const isSaved = declarations.length > 0;
      if (isSaved) {
        output.line(`Request ${requestId} was saved. Declarations: ${declarations.length}.`);
        const rows = declarations.map((declaration) => [declaration.scope.tenant, ...toRow(declaration)]);
        output.table(['tenant', ...header], rows);
      } else output.line(`No declaration has the request id ${requestId}. ${NOT_FOUND}`);
      const documents = declarations.map((declaration) => {
        return { tenant: declaration.scope.tenant, ...toDocument(declaration) };
      });
      output.document({ request_id: requestId, landed: isSaved, declarations: documents });
      return isSaved ? EXIT.done : EXIT.rejected;
    }),
  );
