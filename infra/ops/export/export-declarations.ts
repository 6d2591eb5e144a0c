import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, matching, readInstants, runCommand, type Session, zoneOption } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { OperatorError } from '../operator-errors.ts';
import { hasContent, isSameFile, replaceFile } from '../output/out-file.ts';
import { csvOption, findSheetFormat, printList, sheetOutOption } from '../output/write-sheet.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { OperatorEntry } from '../tables/operator-entries.ts';
import { formatDecimal, languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { type CursorFile, openCursorFile } from './cursor-file.ts';
import { addCurrentNotices, DECLARATION_LIST } from './declaration-list.ts';
import { countDays, createCursor, type ExportCursor, exportDeclarations } from './export-cursor.ts';

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
  runCommand(options, async (session) => {
    const { cursorFile: path, verify } = options;
    await requireDifferentFiles(options);
    await readTenant(session.ports, tenant);
    using cursorFile = path === undefined ? null : await openCursorFile(path, tenant);
    if (verify !== undefined) return await verifyExports(session, cursorFile, Number(verify));
    return await exportTo(session, tenant, cursorFile, options);
  }),
);

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
async function exportTo(session: Session, tenant: string, cursorFile: CursorFile | null, options: Options) {
  const { ports, output } = session;
  const format = findSheetFormat(options);
  const cursor = cursorFile?.cursor ?? (await chooseStart(session, tenant, options));
  // Written before the export: if no file can be written, for example on a full disk, nothing is exported.
  await cursorFile?.keepCopy();
  const nowMs = systemClock.now().getTime();
  const { declarations, getCursor } = exportDeclarations(ports.histories.readBetween, cursor, nowMs);
  const totals = { rows: 0, amount: decimal(0) };
  async function* countPages() {
    for await (const page of declarations) {
      totals.rows += page.length;
      for (const { revision } of page) totals.amount = totals.amount.plus(revision.amount);
      yield await addCurrentNotices(ports.invoices, page);
    }
  }
  await printList(output, countPages(), DECLARATION_LIST, {
    tenant,
    format,
    end: () => ({ until: getCursor().time }),
  });
  const keepsFile = totals.rows === 0 && options.out !== undefined && (await hasContent(options.out));
  await (keepsFile ? output.keepFile() : output.complete());
  const { time } = getCursor();
  const sum = { since: cursor.time, until: time, declarations: totals.rows, declared_amount: totals.amount.toFixed() };
  if (options.totals !== undefined)
    await replaceFile(options.totals, `${JSON.stringify({ tenant, ...sum }, null, 2)}\n`);
  await cursorFile?.save(getCursor());
  output.note(translate(opsTexts.exported(totals.rows, formatDecimal(totals.amount), time)));
  if (keepsFile) output.note(translate(opsTexts.fileKept(options.out ?? '')));
}

/** Chooses the start of an export without a cursor. Asks before it begins at the first declaration. */
async function chooseStart(
  { ports, output, host, confirm }: Session,
  tenant: string,
  { since, zone, cursorFile, fromStart }: Options,
): Promise<ExportCursor> {
  if (since !== undefined) {
    return createCursor(tenant, new Date(readInstants('--since', since, zone).startMs).toISOString());
  }
  if (cursorFile !== undefined && !fromStart) {
    if (!host.stdin.isTTY) throw new OperatorError(translate(opsTexts.needsStart(cursorFile)));
    await confirm(async () => translate(opsTexts.confirmStart(cursorFile)));
  }
  const start = new Date(await findFirstTime(ports, tenant)).toISOString();
  output.note(translate(opsTexts.fromStart(start)));
  return createCursor(tenant, start);
}

/** The age of the oldest declarations of a tenant that no command has created, such as the demo. */
const UNRECORDED_DAYS = 400;

/** Finds a time before the first declaration of a tenant: a day before the command that has created the tenant. */
async function findFirstTime({ operatorEntries }: AdminPorts, tenant: string): Promise<number> {
  const { value: firstPage = [] } = await operatorEntries.pages(tenant, '0').next();
  const [entry] = firstPage as readonly OperatorEntry[];
  if (entry?.command === 'apply') return Date.parse(entry.time) - DAY_MS;
  return systemClock.now().getTime() - UNRECORDED_DAYS * DAY_MS;
}

/** Compares the exported with the stored declarations, prints the days that differ, and returns the exit code. */
async function verifyExports({ ports, output }: Session, cursorFile: CursorFile | null, days: number) {
  const cursor = cursorFile?.cursor;
  if (!cursor) throw new OperatorError(translate(opsTexts.verifyNeedsCursor));
  const counts = await countDays(ports.histories.readBetween, cursor, days);
  const differing = counts.filter(({ exported, stored }) => exported !== stored);
  const { day, exported, stored } = opsTexts.titles;
  if (differing.length > 0) {
    const rows = differing.map((count) => [count.day, String(count.exported), String(count.stored)]);
    output.table([day, exported, stored].map(translate), rows);
  }
  output.line(translate(opsTexts.verifiedDays(counts.length, differing.length)));
  output.document({ tenant: cursor.tenant, days: counts, differing: differing.length });
  return differing.length > 0 ? EXIT.rejected : EXIT.done;
}
