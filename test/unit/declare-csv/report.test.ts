import { existsSync, linkSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LineResult } from '../../../lib/declare-csv/declare-lines.ts';
import { checkReportFile, formatReport, writeReport } from '../../../lib/declare-csv/report.ts';
import type { CsvDialect } from '../../../lib/client/spreadsheets/write-csv.ts';
import { readFirstSheet } from '../../support/data/read-workbook.ts';
import { buildResults, RESULTS } from '../../support/data/line-results.ts';

const plain = { bom: '', separator: ',', decimalSign: '.', lineEnd: '\r\n', protectsNumbers: false } as const;

const REPORT = [
  'line;invoice_id;amount;outcome;action;difference;difference_pct;declaration_id;code;message;request_id',
  '2;9001;0,1;approved;AUTO_APPROVE;-0,000001;-1,5;77;;;request-1',
  '3;9002;0,2;approved;AUTO_APPROVE;-0,000001;-1,5;78;;;request-1',
  '4;9003;1050;rejected;;;;;NOT_FOUND;"Not ""here""; gone.";request-2',
  '5;9004;999999999999,99;unknown;;;;;;;',
  '6;9005;0,000001;not_declared;;;;;;;',
  '',
].join('\r\n');

const dialect = { ...plain, separator: ';', decimalSign: ',' };
const formatCsv = (lines: readonly LineResult[], format: CsvDialect = plain) =>
  formatReport(lines, 'r.csv', format, 'en');

it('the report has a row for each line with all its properties, in the dialect of the file', async () => {
  expect(await formatCsv(RESULTS, dialect)).toBe(REPORT);
  expect(await formatCsv(RESULTS, { ...plain, bom: '\ufeff' })).toBe(`\ufeff${String(await formatCsv(RESULTS))}`);
});

it('the report in Spanish has Spanish headings and outcomes', async () => {
  const [heading, line] = String(await formatReport(RESULTS, 'r.csv', dialect, 'es')).split('\r\n');
  expect(heading).toBe(
    'línea;factura;importe;resultado;acción;diferencia;diferencia %;declaración;código;mensaje;solicitud',
  );
  expect(line).toBe('2;9001;0,1;aprobada;AUTO_APPROVE;-0,000001;-1,5;77;;;request-1');
});

it('the report contains no formula and no control or invisible character of texts of the service', async () => {
  const error = { code: 'X', message: '\u202e\u0000\n=1' };
  expect(await formatCsv(buildResults([[1, { outcome: 'rejected', error }]]))).toContain(",X,'  =1,");
});

it('a workbook has the ids as texts', async () => {
  const [first] = buildResults([[1, { outcome: 'approved', declarationId: '1795243070161803765' }]]);
  const report = await formatReport([first!], 'r.xlsx', plain, 'en');
  const { rows } = await readFirstSheet(report as Buffer);
  expect(rows[1]).toEqual(expect.arrayContaining([{ number: '2' }, '9001', { number: '1' }, '1795243070161803765']));
});

const folder = mkdtempSync(join(tmpdir(), 'files-'));
const file = join(folder, 'invoices.csv');
const hardLink = join(folder, 'other.csv');
const absent = join(folder, 'absent', 'report.csv');
writeFileSync(file, 'invoice_id');
linkSync(file, hardLink);

it.each([
  [file, 'it is the input file: choose another name'],
  [hardLink, 'it is the input file: choose another name'],
  [absent, 'ENOENT: there is no such file or folder'],
  [folder, 'EISDIR: it is a folder'],
])('checkReportFile rejects the report %s: %s', async (report, reason) => {
  const en = `The file ${report} cannot be written: ${reason}`;
  await expect(checkReportFile(report, file, true)).rejects.toMatchObject({ text: { en } });
  expect(readFileSync(file, 'utf8')).toBe('invoice_id');
});

it.runIf(existsSync('/dev/full'))('writeReport returns an error if the disk is full', async () => {
  expect(await writeReport('/dev/full', 'report')).toMatchObject({
    en: 'The file /dev/full cannot be written: ENOSPC: the disk is full',
  });
  expect(await writeReport(join(folder, 'report.csv'), 'report')).toBeNull();
});

it('checkReportFile rejects a file with content, unless it may be overwritten', async () => {
  const report = join(folder, 'existing.csv');
  await checkReportFile(report, file, false);
  writeFileSync(report, 'line');
  const es = expect.stringContaining('ya existe: elija otro nombre o indique --overwrite');
  await expect(checkReportFile(report, file, false)).rejects.toMatchObject({ text: { es } });
  await checkReportFile(report, file, true);
  expect(readFileSync(report, 'utf8')).toBe('line');
});
