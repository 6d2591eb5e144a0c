import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
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
  const saved = join(folder, 'libreoffice', `${parse(file).name}.xlsx`);
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

// A cover, and a second sheet with a merged title, formulas, a hidden row and a number that is divided by zero.
const WRITE_ERP = `
import datetime, sys
from openpyxl import Workbook
book = Workbook()
book.active.title = 'Resumen'
book.active.append(['Facturas de agosto'])
sheet = book.create_sheet('Datos')
sheet.append(['Facturas de agosto'])
sheet.merge_cells('A1:E1')
sheet.append([])
sheet.append(['Nro. Factura', 'Proveedor', 'Orden', 'Importe total', 'Fecha factura'])
for number, amount in enumerate(['=500*2', 7.5, 1050.25, '=1/0']):
    sheet.append([9001 + number, sys.argv[2], 5, amount, datetime.date(2026, 8, 24)])
sheet.row_dimensions[5].hidden = True
book.save(sys.argv[1])
`;

/** Writes a workbook with invoices of a supplier, as an ERP exports them, with openpyxl: formulas have no values. */
export async function writeErpWorkbook(file: string, supplierId: string): Promise<void> {
  await run(programs.openpyxl.program, ['-c', WRITE_ERP, file, supplierId]);
}

/** Fills in the last two columns of every row of a sheet of list-invoices --excel. */
export async function fillIn(file: string, decision: string, reason: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll(/;;\r\n/g, `;${decision};${reason}\r\n`));
}
