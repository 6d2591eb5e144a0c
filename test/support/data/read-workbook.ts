import { openWorkbook } from '../../../lib/client/spreadsheets/read-workbook.ts';

/** Reads the name of the first sheet and the cells of each row. A typed cell is returned as `{ <type>: value }`. */
export async function readFirstSheet(bytes: Uint8Array) {
  const [sheet] = await openWorkbook(bytes);
  const { rows = [] } = (await sheet?.read()) ?? {};
  const cells = rows.map((row) =>
    row.cells.map((cell) => (typeof cell === 'object' && 'type' in cell ? { [cell.type]: cell.value } : cell)),
  );
  return { name: sheet?.name, rows: cells };
}
