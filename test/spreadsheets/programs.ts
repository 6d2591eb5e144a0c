import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function runPython(script: string, ...args: string[]): Promise<void> {
  await run(process.env['PYTHON'] ?? '', ['-W', 'ignore', '-c', script, ...args]);
}

/** Opens a workbook in LibreOffice, saves it as .xlsx, and returns the path of the new file. */
export async function saveWithLibreOffice(file: string): Promise<string> {
  const folder = dirname(file);
  const saved = join(folder, 'libreoffice');
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const options = ['--headless', '--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', saved];
  await run('soffice', [profile, ...options, file]);
  return join(saved, basename(file));
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
  await runPython(WRITE_ERP, file, supplierId);
}

const FILL_IN = `
import sys
from openpyxl import load_workbook
book = load_workbook(sys.argv[1])
sheet = book.active
for row in sheet.iter_rows(min_row=2):
    row[-2].value, row[-1].value = sys.argv[2:4]
book.save(sys.argv[1])
`;

/** Fills in the last two columns of every row of a workbook with openpyxl, and saves it. */
export async function fillIn(file: string, decision: string, reason: string): Promise<void> {
  await runPython(FILL_IN, file, decision, reason);
}
