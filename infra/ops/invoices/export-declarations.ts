import { readFile } from 'node:fs/promises';
import { exportDeclarations, formatCursor, isCursor, parseCursor } from './declaration-export.ts';
import { OperatorError } from '../operator-error.ts';
import type { OwnedRevision } from '../../../lib/storage/invoices/declaration-table.ts';
import { declarationDocument, stateDeclared } from '../../../lib/contracts/history.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { rebatchPages } from '../../../lib/runtime/pages.ts';
import { lockFile } from '../../lock-file.ts';
import { defineCommand, EXIT, type ExitCode, runCommand, type Session } from '../command.ts';
import { readInstants, zoneOption } from '../date-options.ts';
import { isSameFile, replaceFile, resolveLinks } from '../out-file.ts';
import { describeSystemError, OutputError } from '../output-error.ts';
import {
  csvOption,
  findSheetFormat,
  type FormatOptions,
  type List,
  printList,
  sheetOutOption,
  type ToCell,
  toColumns,
} from './write-sheet.ts';

const CELLS: Readonly<Record<string, ToCell<OwnedRevision>>> = {
  supplier_id: ({ scope }) => scope.supplierId,
  invoice_id: ({ revision }) => revision.invoiceId,
  declaration_id: ({ revision }) => revision.declarationId,
  revision: ({ revision }) => decimal(revision.revision),
  declared_amount: ({ revision }) => revision.amount,
  declared_tax_pct: ({ revision }) => revision.taxPct,
  declared_notes: ({ revision }) => revision.notes,
  provider_invoice_number: ({ revision }) => revision.providerInvoice.number,
  provider_invoice_date: ({ revision }) => revision.providerInvoice.date,
  system_amount: ({ revision }) => revision.systemAmount,
  difference: ({ revision }) => revision.outcome.difference,
  difference_pct: ({ revision }) => revision.outcome.differencePct,
  within_tolerance: ({ revision }) => revision.outcome.withinTolerance,
  action: ({ revision }) => revision.outcome.action,
  state_code: ({ revision }) => stateDeclared(revision),
  held_for_review: ({ revision }) => revision.requiresManualReview,
  tolerance_mode: ({ revision }) => revision.tolerance.mode,
  tolerance_pct: ({ revision }) => revision.tolerance.pct,
  tolerance_abs: ({ revision }) => revision.tolerance.abs,
  auto_approve: ({ revision }) => revision.tolerance.autoApprove,
  tolerance_source: ({ revision }) => revision.tolerance.source,
  declared_by: ({ revision }) => revision.declaredBy,
  declared_at: ({ revision }) => revision.declaredAt,
  request_id: ({ revision }) => revision.requestId,
};

/** The list of declarations. */
export const DECLARATION_LIST: List<OwnedRevision> = {
  name: 'Declarations',
  columns: toColumns(CELLS),
  toDocument: ({ scope, revision }) => ({
    supplier_id: scope.supplierId,
    invoice_id: revision.invoiceId,
    ...declarationDocument(revision),
    state_code: stateDeclared(revision),
  }),
};

const PAGE_DECLARATIONS = 1000;

/** `export-declarations`: prints the declarations since the last export, for an ERP. */
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
  .action((tenant, { cursorFile, ...options }) =>
    runCommand(options, async (session) => {
      if (cursorFile === undefined) return printDeclarations(tenant, options, session, null);
      if (options.since !== undefined && isCursor(options.since)) {
        throw new OperatorError('--since CURSOR cannot be used with --cursor-file. Omit one of them.');
      }
      if (options.out !== undefined && (await isSameFile(options.out, cursorFile))) {
        throw new OperatorError('--out and --cursor-file name the same file.');
      }
      const target = await resolveLinks(cursorFile).catch((error: unknown) => {
        throw new OutputError(`The cursor file ${cursorFile} cannot be written: ${describeSystemError(error)}`);
      });
      const releaseLock = lockCursor(`${target}.lock`);
      try {
        return await printDeclarations(tenant, options, session, target);
      } finally {
        releaseLock();
      }
    }),
  );

/** Takes the lock of a cursor file; throws an OutputError if another command has it, or if it cannot be written. */
function lockCursor(path: string): () => void {
  let release: (() => void) | null;
  try {
    release = lockFile(path);
  } catch (error) {
    const { message } = error as Error;
    throw new OutputError(`The lock ${path} cannot be used: ${message}. Remove it if it is not a lock.`, {
      cause: error,
    });
  }
  if (release !== null) return release;
  throw new OutputError('Another command is running with this cursor file.');
}

/** Prints the declarations after a cursor, and replaces the cursor in its file when they are on the disk. */
async function printDeclarations(
  tenant: string,
  { since, zone, ...options }: FormatOptions & { readonly since?: string; readonly zone?: string },
  { ports, output }: Session,
  cursorFile: string | null,
): Promise<ExitCode> {
  const format = findSheetFormat(options);
  const text = since !== undefined && isCursor(since) ? since : cursorFile && (await readCursorFile(cursorFile));
  const after = text === null ? [] : parseCursor(text, tenant);
  // If the file cannot be replaced, for example on a full disk, nothing is printed.
  if (cursorFile !== null && text !== null) await replaceFile(cursorFile, text);
  // A time in --since is for the first run only.
  const sinceMs = since === undefined || text !== null ? null : readInstants('--since', since, zone).startMs;

  const { declarations, cursor } = exportDeclarations(ports, tenant, after);
  const selected = sinceMs === null ? declarations : selectSince(declarations, sinceMs);
  const pages = rebatchPages(selected, PAGE_DECLARATIONS);
  const getNextCursor = () => formatCursor(tenant, cursor());
  const end = () => ({ cursor: getNextCursor() });
  await printList(output, pages, DECLARATION_LIST, { tenant, format, end });
  await output.complete();
  if (cursorFile !== null) await replaceFile(cursorFile, `${getNextCursor()}\n`);
  output.note(`Next cursor: ${getNextCursor()}`);
  return EXIT.done;
}

/** Reads the file of a cursor; null if it does not exist. Throws an OperatorError if it cannot be read. */
async function readCursorFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`The file ${path} cannot be read: ${describeSystemError(error)}`);
  }
}

async function* selectSince(
  transactions: AsyncIterable<readonly OwnedRevision[]>,
  sinceMs: number,
): AsyncGenerator<readonly OwnedRevision[], void> {
  for await (const declarations of transactions) {
    yield declarations.filter(({ revision }) => Date.parse(revision.declaredAt) >= sinceMs);
  }
}
