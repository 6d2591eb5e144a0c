import { Option } from '@commander-js/extra-typings';
import { cursorText, isCursor, readCursor } from '../../../lib/admin/export/export-cursor.ts';
import { exportDeclarations } from '../../../lib/admin/export/export-declarations.ts';
import { declaredEvent, EVENT_SOURCE } from '../../../lib/contracts/events.ts';
import { declarationDocument, stateDeclared } from '../../../lib/contracts/history.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { OwnedRevision } from '../../../lib/admin/ports/admin-ports.ts';
import { filledPages } from '../../../lib/runtime/pages.ts';
import { printableJson } from '../../printable.ts';
import { defineCommand, EXIT, type ExitCode, runCommand, type Session } from '../command.ts';
import { readInstants, zoneOffset } from '../date-options.ts';
import { isSameFile } from '../out-file.ts';
import type { ListView, Output } from '../output.ts';
import { findSheetFormat, type FormatOptions, sheetOutOption } from '../sheet-format.ts';
import { type CursorFile, openCursorFile } from './cursor-file.ts';
import { DECLARATION_SHEET } from './declaration-sheet.ts';
import { writeSheet } from './write-sheet.ts';

const PAGE_DECLARATIONS = 1000;

const view: ListView<OwnedRevision> = {
  header: ['supplier', 'invoice', 'revision', 'declared', 'system', 'difference', 'action', 'state', 'declared at'],
  toRow({ scope, revision }) {
    const { amount, systemAmount, outcome } = revision;
    const amounts = [amount, systemAmount, outcome.difference].map((each) => each.toFixed());
    const state = stateDeclared(revision) ?? '-';
    const number = `${revision.revision}`;
    return [scope.supplierId, revision.invoiceId, number, ...amounts, outcome.action, state, revision.declaredAt];
  },
  toDocument,
};

/** `export-declarations`: what suppliers have declared since the last export, for an ERP. */
export const exportDeclarationsCommand = defineCommand('export-declarations', {
  summary: 'Print every declaration since a cursor: over any number of runs, each comes exactly once.',
  example: 'export-declarations demo.example --since 2026-07-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--since <cursor>', 'only those after the cursor that the last run ended with, or since this time')
  .option('--cursor-file <file>', 'begin at the cursor in this file, if it exists, and write the next one to it')
  .option('--zone <offset>', 'the zone of a time without one, such as -03:00; without it UTC', zoneOffset)
  .addOption(new Option('--csv', 'write a CSV with commas and decimal points').conflicts('json'))
  .addOption(
    new Option('--as-events', 'write each as the event that was published, a line for PutEvents').conflicts([
      'csv',
      'json',
    ]),
  )
  .addOption(sheetOutOption)
  .action((tenant, { cursorFile, ...options }) =>
    runCommand(options, async (session) => {
      if (cursorFile === undefined) return printDeclarations(tenant, options, session, null);
      if (options.since !== undefined && isCursor(options.since)) {
        throw new OperatorError('Name a cursor, or a file that keeps it: not both.');
      }
      if (options.out !== undefined && (await isSameFile(options.out, cursorFile))) {
        throw new OperatorError('--out and --cursor-file name the same file.');
      }
      const file = await openCursorFile(cursorFile, tenant);
      try {
        return await printDeclarations(tenant, options, session, file);
      } finally {
        file.close();
      }
    }),
  );

interface PrintOptions extends FormatOptions {
  readonly since?: string | undefined;
  readonly zone?: string | undefined;
  readonly stack?: string | undefined;
}

/** Prints the declarations after a cursor, and moves the cursor when they are on the disk. */
async function printDeclarations(
  tenant: string,
  { since, zone, ...options }: PrintOptions,
  { ports, output }: Session,
  file: CursorFile | null,
): Promise<ExitCode> {
  const format = findSheetFormat(options);
  const after = since !== undefined && isCursor(since) ? readCursor(since, tenant) : (file?.cursor ?? null);
  // A time in --since is for the first run only.
  const isFromTime = since !== undefined && !after;
  const sinceMs = isFromTime ? readInstants('--since', since, zone).startMs : Number.NEGATIVE_INFINITY;

  const { declarations, cursor } = exportDeclarations(ports, tenant, after);
  const pages = filledPages(declaredSince(declarations, sinceMs), PAGE_DECLARATIONS);
  if (options.asEvents) await writeEvents(output, pages, options.stack);
  else if (format) await writeSheet(output, pages, DECLARATION_SHEET, format);
  else {
    const end = () => ({ cursor: cursorText(cursor()) });
    await output.list({ tenant }, 'declarations', pages, { ...view, end });
  }
  await output.complete();
  await file?.replace(cursor());
  output.note(`Next cursor: ${cursorText(cursor())}`);
  return EXIT.done;
}

async function* declaredSince(
  transactions: AsyncIterable<readonly OwnedRevision[]>,
  sinceMs: number,
): AsyncGenerator<readonly OwnedRevision[], void> {
  for await (const declarations of transactions) {
    yield declarations.filter(({ revision }) => Date.parse(revision.declaredAt) >= sinceMs);
  }
}

/** A declaration with all that is known of it, in the interface's names wherever it has one. */
function toDocument({ scope, revision }: OwnedRevision) {
  return {
    supplier_id: scope.supplierId,
    invoice_id: revision.invoiceId,
    ...declarationDocument(revision),
    state_code: stateDeclared(revision),
  };
}

async function writeEvents(
  output: Output,
  pages: AsyncIterable<readonly OwnedRevision[]>,
  bus: string | undefined,
): Promise<void> {
  for await (const page of pages) {
    output.write(page.map((declaration) => eventLine(declaration, bus)).join(''));
    if (!(await output.canContinue())) return;
  }
}

/** An entry of EventBridge's PutEvents; the bus of a stack has its name. */
function eventLine({ scope, revision }: OwnedRevision, bus: string | undefined): string {
  const { type, time, detail } = declaredEvent(scope, revision);
  const entry = { Source: EVENT_SOURCE, DetailType: type, Time: time, Detail: JSON.stringify(detail) };
  return `${printableJson(JSON.stringify({ ...(bus !== undefined && { EventBusName: bus }), ...entry }))}\n`;
}
