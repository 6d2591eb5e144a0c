import { existsSync, linkSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkReportFile, readInput, writeReport } from '../../../../lib/client/examples/declare-csv/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'files-'));
const file = join(folder, 'invoices.csv');
const other = join(folder, 'other.csv');
const absent = join(folder, 'absent', 'report.csv');
writeFileSync(file, 'invoice_id');
linkSync(file, other);

it('a file that cannot be read is named, with the reason, in both languages', async () => {
  const es = `No se puede leer el archivo ${absent}: ENOENT: no existe`;
  await expect(readInput(absent)).rejects.toMatchObject({ text: { en: expect.stringContaining('ENOENT'), es } });
  expect(await readInput(file)).toEqual(Buffer.from('invoice_id'));
});

it.each([
  [file, 'it is the input file'],
  [other, 'it is the input file'],
  [absent, 'ENOENT: there is no such file or folder'],
  [folder, 'EISDIR: it is a folder'],
])('a report is refused before anything is sent: %s, %s', async (report, reason) => {
  const en = `The report ${report} cannot be written: ${reason}`;
  await expect(checkReportFile(report, file)).rejects.toMatchObject({ text: { en } });
  expect(readFileSync(file, 'utf8')).toBe('invoice_id');
});

it.runIf(existsSync('/dev/full'))('a full disk is named when the report is written', async () => {
  expect(await writeReport('/dev/full', 'report')).toMatchObject({
    en: 'The report /dev/full cannot be written: ENOSPC: the disk is full',
  });
  expect(await writeReport(join(folder, 'report.csv'), 'report')).toBeNull();
});
