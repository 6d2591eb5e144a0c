import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const runPython = async (script: string, ...args: string[]) =>
  (await run(process.env['PYTHON'] ?? '', ['-W', 'ignore', '-c', script, ...args])).stdout;
const runNode = async (script: string, ...args: string[]) =>
  (await run(process.execPath, ['-e', script, '--', ...args])).stdout;

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

const DATA = String.raw`
import datetime, sys
path, version = sys.argv[1:]
day = datetime.datetime(2026, 8, 31)
rows = [
    ['Año "1" <&> 😀', ' A\nB ', '0001', 'constructor', None, True],
    [9003, -3, 1050.5, 0.1 + 0.2, 1e20, 123456789012345],
    [day, day.replace(hour=23, minute=30), datetime.time(9, 30)],
]
`;

const WRITE_WITH_OPENPYXL = `${DATA}
import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904
book = openpyxl.Workbook()
if version == '1904': book.epoch = CALENDAR_MAC_1904
book.active.append(['hidden'])
book.active.sheet_state = 'veryHidden'
sheet = book.create_sheet()
for row in rows: sheet.append(row)
book.active = 1
book.save(path)
`;

const WRITE_WITH_XLSXWRITER = `${DATA}
import xlsxwriter
options = {'date_1904': version == '1904', 'constant_memory': version == 'inline', 'default_date_format': 'dd/mm/yyyy'}
book = xlsxwriter.Workbook(path, options)
book.add_worksheet().hide()
sheet = book.add_worksheet()
sheet.activate()
for index, row in enumerate(rows): sheet.write_row(index, 0, row)
sheet.write_rich_string(3, 0, 'A', book.add_format({'bold': True}), ' B ', 'C')
sheet.write_formula(3, 1, '=1/4', None, 0.25)
book.close()
`;

const WRITE_WITH_EXCELJS = String.raw`
const [path, version] = process.argv.slice(1);
const book = new (require('exceljs').Workbook)();
book.properties.date1904 = version === '1904';
book.addWorksheet('Hidden', { state: 'hidden' }).addRow(['hidden']);
const sheet = book.addWorksheet('Visible');
const richText = [{ text: 'A' }, { font: { bold: true }, text: ' B' }];
sheet.addRow(['Año "1" <&> 😀', ' A\r\nB ', { richText }, true]);
sheet.addRow([9003, 1050.5, 0.1 + 0.2, new Date('2026-08-31T23:30:00Z'), { formula: '1/4', result: 0.25 }]);
book.xlsx.writeFile(path);
`;

const succeeds = async (result: Promise<string>) =>
  result.then(
    () => true,
    () => false,
  );

/** The programs that write a workbook whose first sheet is hidden. exceljs is found by NODE_PATH. */
export const WRITERS = [
  {
    program: 'openpyxl',
    isInstalled: true,
    versions: ['1900', '1904'],
    write: (path: string, version: string) => runPython(WRITE_WITH_OPENPYXL, path, version),
  },
  {
    program: 'xlsxwriter',
    isInstalled: await succeeds(runPython('import xlsxwriter')),
    versions: ['1900', '1904', 'inline'],
    write: (path: string, version: string) => runPython(WRITE_WITH_XLSXWRITER, path, version),
  },
  {
    program: 'exceljs',
    isInstalled: await succeeds(runNode("require('exceljs')")),
    versions: ['1900', '1904'],
    write: (path: string, version: string) => runNode(WRITE_WITH_EXCELJS, path, version),
  },
];

const DUMP = `
import datetime, json, openpyxl, sys
def dump(value):
    if isinstance(value, (datetime.timedelta, datetime.time)): return 'time'
    if isinstance(value, datetime.datetime): return value.isoformat()[:19].replace('T00:00:00', '')
    return float('%.15g' % value) if isinstance(value, float) else value
book = openpyxl.load_workbook(sys.argv[1], data_only=True)
sheet = next(sheet for sheet in book if sheet.sheet_state == 'visible')
cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
print(json.dumps({cell.coordinate: dump(cell.value) for cell in cells}))
`;

/** Returns the cells of the first visible sheet of a workbook by their names, as openpyxl reads them. */
export async function dumpCells(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await runPython(DUMP, path)) as Record<string, unknown>;
}
