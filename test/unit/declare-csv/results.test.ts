import { existsSync, linkSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LineResult } from '../../../lib/declare-csv/declare-lines.ts';
import type { InvoiceLine } from '../../../lib/declare-csv/read-invoices.ts';
import { checkReportFile, writeReport } from '../../../lib/declare-csv/results.ts';
import { formatReport, formatSummary } from '../../../lib/declare-csv/results.ts';

const tolerance = { action: 'AUTO_APPROVE', difference: -0.000001, difference_pct: -1.5 } as const;

const buildResults = (entries: readonly (readonly [amount: number, result: Omit<LineResult, keyof InvoiceLine>])[]) =>
  entries.map(([amount, result], index): LineResult => {
    return { line: index + 2, declaration: { invoice_id: `${9001 + index}`, amount }, ...result };
  });

const approved = { outcome: 'approved', tolerance, requestId: 'request-1' } as const;
const notFound = { code: 'NOT_FOUND', message: 'Not "here"; gone.' };
const results = buildResults([
  [0.1, { ...approved, declarationId: '77' }],
  [0.2, { ...approved, declarationId: '78' }],
  [1050, { outcome: 'rejected', error: notFound, requestId: 'request-2' }],
  [999_999_999_999.99, { outcome: 'unknown' }],
  [0.000_001, { outcome: 'not_declared' }],
]);

const plain = { bom: '', separator: ',', decimalSign: '.', lineEnd: '\r\n', protectsNumbers: false } as const;

const SUMMARY = `
                                              Lines                Amount
Approved automatically                            2                  0.30
Rejected                                          1               1050.00
Not known if declared: run the command again      1       999999999999.99
Not declared                                      1              0.000001
Total                                             5  1000000001050.290001

Line  Invoice   Amount  Reason
   4  9003     1050.00  NOT_FOUND  Not "here"; gone.
`;

const REPORT = [
  'line;invoice_id;amount;outcome;action;difference;difference_pct;declaration_id;code;message;request_id',
  '2;9001;0,1;approved;AUTO_APPROVE;-0,000001;-1,5;77;;;request-1',
  '3;9002;0,2;approved;AUTO_APPROVE;-0,000001;-1,5;78;;;request-1',
  '4;9003;1050;rejected;;;;;NOT_FOUND;"Not ""here""; gone.";request-2',
  '5;9004;999999999999,99;unknown;;;;;;;',
  '6;9005;0,000001;not_declared;;;;;;;',
  '',
].join('\r\n');

it('the summary has counts and exact sums by outcome, and every rejected line', () => {
  expect(`\n${formatSummary(results, 'en').join('\n')}\n`).toBe(SUMMARY);
});

it('the report has a row for each line with all its properties, in the dialect of the file', () => {
  expect(formatReport(results, { ...plain, separator: ';', decimalSign: ',' })).toBe(REPORT);
  expect(formatReport(results, { ...plain, bom: '\ufeff' })).toBe(`\ufeff${formatReport(results, plain)}`);
});

it('the report contains no formula and no control or invisible character of texts of the service', () => {
  const error = { code: 'X', message: '\u202e\u0000\n=1' };
  expect(formatReport(buildResults([[1, { outcome: 'rejected', error }]]), plain)).toContain(",X,'  =1,");
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
  const en = `The report ${report} cannot be written: ${reason}`;
  await expect(checkReportFile(report, file)).rejects.toMatchObject({ text: { en } });
  expect(readFileSync(file, 'utf8')).toBe('invoice_id');
});

it.runIf(existsSync('/dev/full'))('writeReport returns an error if the disk is full', async () => {
  expect(await writeReport('/dev/full', 'report')).toMatchObject({
    en: 'The report /dev/full cannot be written: ENOSPC: the disk is full',
  });
  expect(await writeReport(join(folder, 'report.csv'), 'report')).toBeNull();
});
