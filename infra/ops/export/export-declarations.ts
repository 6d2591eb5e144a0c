import { decimal, type Decimal } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, runCommand, type Session } from '../command.ts';
import { readInstants, zoneOption } from '../date-options.ts';
import { readTenant } from '../directory/read-directory.ts';
import { OperatorError } from '../operator-errors.ts';
import { hasContent, isSameFile } from '../output/out-file.ts';
import { printList, resolveSheetFormat, sheetOutOption } from '../output/write-sheet.ts';
import { formatDecimal, languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { type CursorFile, openCursorFile } from './cursor-file.ts';
import { addCurrentNotices, DECLARATION_LIST, type RecordedDeclaration } from './declaration-list.ts';
import { createCursor, exportDeclarations, type ExportCursor } from './export-cursor.ts';

const command = defineCommand('export-declarations', {
  summary:
    'Export the declarations since the previous export, each exactly once. Without a cursor file, export all ' +
    'declarations since a time.',
  example: 'export-declarations demo.example --since 2026-07-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the declarations')
  .option('--cursor-file <file>', 'continue at the cursor in this file, and save the next cursor there')
  .option('--since <time>', 'begin at this time, if there is no cursor yet')
  .addOption(zoneOption)
  .addOption(sheetOutOption)
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const exportDeclarationsCommand = command.action((tenant, options) =>
  runCommand(options, (session) => lockAndExport(session, tenant, options)),
);

/** Checks the tenant, and locks the cursor file, because two exports at the same time would save only one cursor. */
async function lockAndExport(session: Session, tenant: string, options: Options): Promise<void> {
  const { out, cursorFile: cursorPath } = options;
  if (out !== undefined && cursorPath !== undefined && (await isSameFile(out, cursorPath))) {
    throw new OperatorError(translate(opsTexts.sameFile('--out', '--cursor-file')));
  }
  await readTenant(session.ports, tenant);
  using cursorFile = cursorPath === undefined ? null : await openCursorFile(cursorPath, tenant);
  await exportAfterCursor(session, tenant, cursorFile, options);
}

/** Exports the declarations after the cursor, and then saves the next cursor. */
async function exportAfterCursor(session: Session, tenant: string, cursorFile: CursorFile | null, options: Options) {
  const { ports, output } = session;
  const { out } = options;
  const format = resolveSheetFormat(options);
  const cursor = cursorFile?.cursor ?? createFirstCursor(tenant, options);
  // The backup is written first, so that nothing is exported if no file can be written, for example on a full disk.
  await cursorFile?.writeBackup();

  const nowMs = systemClock.now().getTime();
  const { declarations, getCursor } = exportDeclarations(ports.histories.readBetween, cursor, nowMs);
  const totals = { count: 0, amount: decimal(0) };
  const pages = addToTotals(totals, declarations, ports, tenant);
  await printList(output, pages, DECLARATION_LIST, { tenant, format, end: () => ({ until: getCursor().time }) });

  // An export without declarations does not replace the file of an earlier export, which may not be imported yet.
  const keepsFile = totals.count === 0 && out !== undefined && (await hasContent(out));
  if (keepsFile) await output.keepFile();
  else await output.complete();
  // The cursor is saved last, so that after a failure the next export contains the same declarations.
  await cursorFile?.save(getCursor());
  output.note(translate(opsTexts.exported(totals.count, formatDecimal(totals.amount), getCursor().time)));
  if (keepsFile) output.note(translate(opsTexts.fileKept(out)));
}

/** Creates the cursor of a first export. A missing cursor file can be a mistake in its path, so --since is required. */
function createFirstCursor(tenant: string, { since, zone }: Options): ExportCursor {
  if (since === undefined) throw new OperatorError(translate(opsTexts.sinceRequired));
  const { startMs } = readInstants('--since', since, zone);
  return createCursor(tenant, new Date(startMs).toISOString());
}

/** Yields declarations with their current notices, and adds them to the totals. */
async function* addToTotals(
  totals: { count: number; amount: Decimal },
  pages: AsyncIterable<readonly RecordedDeclaration[]>,
  { invoices }: Session['ports'],
  tenant: string,
) {
  for await (const page of pages) {
    totals.count += page.length;
    for (const { revision } of page) totals.amount = totals.amount.plus(revision.amount);
    yield await addCurrentNotices(invoices, tenant, page);
  }
}
