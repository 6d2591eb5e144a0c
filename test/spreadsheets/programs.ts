import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The programs that open and save spreadsheets: how each is started, and how to check that it is installed. */
export const programs = {
  libreOffice: { program: 'soffice', check: ['--version'], needs: 'LibreOffice' },
  openpyxl: {
    program: process.env['PYTHON'] ?? 'python3',
    check: ['-c', 'import openpyxl'],
    needs: 'Python with openpyxl',
  },
} as const;

const run = promisify(execFile);

/** Opens a CSV with semicolons and decimal commas, or a workbook, in LibreOffice (Argentina) and saves it as .xlsx. */
export async function saveWithLibreOffice(file: string): Promise<string> {
  const folder = dirname(file);
  const saved = join(folder, 'libreoffice', 'review.xlsx');
  // 59: semicolons; 34: double quotes; 76: UTF-8; 11274: Spanish (Argentina); true: detects dates and numbers.
  const filter = file.endsWith('.csv') ? ['--infilter=CSV:59,34,76,1,,11274,false,true'] : [];
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const options = ['--headless', ...filter, '--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', dirname(saved)];
  await run(programs.libreOffice.program, [profile, ...options, file]);
  return saved;
}

// Types cells as Excel does when it opens a CSV where decimals have a comma.
const CONVERT = `
import csv, datetime, re, sys
from openpyxl import Workbook
book = Workbook()
sheet = book.active
with open(sys.argv[1], encoding='utf-8-sig', newline='') as file:
    for row in csv.reader(file, delimiter=';'):
        cells = []
        for text in row:
            if re.fullmatch(r'-?\\d+(,\\d+)?', text):
                cells.append(float(text.replace(',', '.')) if ',' in text else int(text))
            elif re.fullmatch(r'\\d{4}-\\d\\d-\\d\\d', text):
                cells.append(datetime.date.fromisoformat(text))
            else:
                cells.append(text or None)
        sheet.append(cells)
book.save(sys.argv[2])
`;

/** Converts a CSV with semicolons and decimal commas to a .xlsx with openpyxl, with numbers and dates as Excel has them. */
export async function saveWithOpenpyxl(file: string): Promise<string> {
  const saved = join(dirname(file), 'openpyxl.xlsx');
  await run(programs.openpyxl.program, ['-c', CONVERT, file, saved]);
  return saved;
}

/** Fills in the last two columns of every row of a sheet of list-invoices --excel. */
export async function fillIn(file: string, decision: string, reason: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll(/;;\r\n/g, `;${decision};${reason}\r\n`));
}
