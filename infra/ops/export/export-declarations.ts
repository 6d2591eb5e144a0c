import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal, type Decimal } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, matching, readInstants, runCommand, type Session, zoneOption } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { type ExitCode, OperatorError } from '../operator-errors.ts';
import { hasContent, isSameFile, replaceFile } from '../output/out-file.ts';
import { csvOption, resolveSheetFormat, sheetOutOption } from '../output/sheet-options.ts';
import { printList } from '../output/write-sheet.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';
import { formatDecimal, languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { type CursorFile, openCursorFile } from './cursor-file.ts';
import { addCurrentNotices, DECLARATION_LIST, type RecordedDeclaration } from './declaration-list.ts';
import { createCursor, exportDeclarations, type ExportCursor } from './export-cursor.ts';
import { verifyExports } from './verify-exports.ts';

/** The age of the oldest declarations of a tenant that no command has created, such as the demo. */
const UNRECORDED_DAYS = 400;

const command = defineCommand('export-declarations', {
  summary:
    'Export the declarations since the previous export, each exactly once. Without a cursor file, export all ' +
    'declarations since a time.',
  example: 'export-declarations demo.example --since 2026-07-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the declarations')
  .option('--cursor-file <file>', 'continue at the cursor in this file, and save the next cursor there')
  .option('--since <time>', 'begin at this time, if there is no cursor yet')
  .option('--from-start', 'begin at the first declaration, if there is no cursor yet')
  .option('--totals <file>', 'write the number and the sum of the exported declarations to this file')
  .option(
    '--verify <days>',
    'export nothing, but compare the numbers of exported and stored declarations of the last days',
    matching(/^[1-9]\d{0,3}$/, 'a number of days'),
  )
  .addOption(zoneOption)
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const exportDeclarationsCommand = command.action((tenant, options) =>
  runCommand(options, (session) => exportOrVerify(session, tenant, options)),
);

/** Locks the cursor file. With --verify, compares earlier exports with the tables; otherwise, exports declarations. */
async function exportOrVerify(session: Session, tenant: string, options: Options): Promise<ExitCode | void> {
  await requireDifferentFiles(options);
  await readTenant(session.ports, tenant);
  using cursorFile = options.cursorFile === undefined ? null : await openCursorFile(options.cursorFile, tenant);
  if (options.verify !== undefined) return await verifyExports(session, cursorFile?.cursor, Number(options.verify));
  await exportAfterCursor(session, tenant, cursorFile, options);
}

/** Throws an OperatorError if two options name the same file, which the command would write twice. */
async function requireDifferentFiles({ out, cursorFile, totals }: Options): Promise<void> {
  const files = Object.entries({ '--out': out, '--cursor-file': cursorFile, '--totals': totals });
  for (const [index, [option, path]] of files.entries()) {
    for (const [otherOption, otherPath] of files.slice(index + 1)) {
      if (path === undefined || otherPath === undefined || !(await isSameFile(path, otherPath))) continue;
      throw new OperatorError(translate(opsTexts.sameFile(option, otherOption)));
    }
  }
}

/** Exports the declarations after the cursor, and then saves the next cursor. */
async function exportAfterCursor(session: Session, tenant: string, cursorFile: CursorFile | null, options: Options) {
  const { ports, output } = session;
  const { out, totals: totalsPath } = options;
  const format = resolveSheetFormat(options);
  const cursor = cursorFile?.cursor ?? (await chooseStart(session, tenant, options));
  // The backup is written first, so that nothing is exported if no file can be written, for example on a full disk.
  await cursorFile?.writeBackup();

  const nowMs = systemClock.now().getTime();
  const { declarations, getCursor } = exportDeclarations(ports.histories.readBetween, cursor, nowMs);
  const totals = { count: 0, amount: decimal(0) };
  const pages = addToTotals(totals, declarations, ports, tenant);
  const end = () => ({ until: getCursor().time });
  await printList(output, pages, DECLARATION_LIST, { tenant, format, end });

  // An export without declarations does not replace the file of an earlier export, which may not be imported yet.
  const keepsFile = totals.count === 0 && out !== undefined && (await hasContent(out));
  if (keepsFile) await output.keepFile();
  else await output.complete();
  const { count, amount } = totals;
  const until = getCursor().time;
  if (totalsPath !== undefined) {
    const document = { tenant, since: cursor.time, until, declarations: count, declared_amount: amount.toFixed() };
    await replaceFile(totalsPath, `${JSON.stringify(document, null, 2)}\n`);
  }
  // The cursor is saved last, so that after a failure the next export contains the same declarations.
  await cursorFile?.save(getCursor());
  output.note(translate(opsTexts.exported(count, formatDecimal(amount), until)));
  if (keepsFile) output.note(translate(opsTexts.fileKept(out)));
}

/** Chooses the start of an export without a cursor. Asks before it begins at the first declaration. */
async function chooseStart(session: Session, tenant: string, options: Options): Promise<ExportCursor> {
  const { since, zone, cursorFile, fromStart } = options;
  if (since !== undefined) {
    const { startMs } = readInstants('--since', since, zone);
    return createCursor(tenant, new Date(startMs).toISOString());
  }
  if (cursorFile !== undefined && !fromStart) await confirmFirstExport(session, cursorFile);
  const startMs = await findFirstTime(session.ports, tenant);
  const start = new Date(startMs).toISOString();
  session.output.note(translate(opsTexts.fromStart(start)));
  return createCursor(tenant, start);
}

/** Asks if all declarations are exported, because a missing cursor file can be a mistake in the path. */
async function confirmFirstExport({ host, confirm }: Session, path: string): Promise<void> {
  if (!host.stdin.isTTY) throw new OperatorError(translate(opsTexts.needsStart(path)));
  await confirm(async () => translate(opsTexts.confirmStart(path)));
}

/** Finds a time before the first declaration of a tenant: a day before the command that has created the tenant. */
async function findFirstTime({ operatorEntries }: Session['ports'], tenant: string): Promise<number> {
  const { value: firstPage = [] } = await operatorEntries.pages(tenant).next();
  const [entry] = firstPage as readonly OperatorEntry[];
  if (entry?.command === 'apply') return Date.parse(entry.time) - DAY_MS;
  return systemClock.now().getTime() - UNRECORDED_DAYS * DAY_MS;
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
