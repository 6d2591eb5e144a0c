import { openWorkbook } from '../../../lib/spreadsheets/read-workbook.ts';

/** Reads the first sheet of a workbook: its name, and the cells of each row, of which numbers are only numbers. */
export async function readFirstSheet(bytes: Buffer) {
  const workbook = await openWorkbook(
    (async function* () {
      yield bytes;
    })(),
  );
  const rows = await workbook.readRows(0);
  const cells = rows.map((row) =>
    row.cells.map((cell) => (typeof cell === 'object' && 'type' in cell ? { [cell.type]: cell.value } : cell)),
  );
  return { name: workbook.sheets[0], rows: cells };
}
