import { expect, it } from 'vitest';
import { writeSheet } from '../../../infra/ops/review/write-sheet.ts';
import type { Output } from '../../../infra/ops/output.ts';
import { OperatorError } from '../../../infra/ops/errors.ts';
import { MAX_WORKBOOK_ROWS } from '../../../infra/ops/review/write-workbook.ts';

it('a workbook with too many rows is an error that names the option, and nothing is written', async () => {
  const written: (string | Uint8Array)[] = [];
  const output = { write: (data: string | Uint8Array) => written.push(data) } as Pick<Output, 'write'> as Output;
  const pages = (async function* () {
    for (let row = 0; row <= MAX_WORKBOOK_ROWS; row += 1000) yield Array.from({ length: 1000 }, String);
  })();
  const sheet = { name: 'Ids', columns: [{ heading: 'id', kind: 'text', toCell: (id: string) => id }] } as const;
  const error = '--out: a workbook has at most 50000 rows. Choose fewer by the other options, or write a .csv.';
  await expect(writeSheet(output, pages, sheet, 'xlsx')).rejects.toThrow(new OperatorError(error));
  expect(written).toEqual([]);
});
