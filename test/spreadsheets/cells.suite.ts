import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Cell } from '../../lib/client/spreadsheets/read-cell.ts';
import { openSheet } from '../../lib/client/spreadsheets/read-workbook.ts';
import { formatCellName } from '../../lib/client/spreadsheets/scan-sheet.ts';
import { dumpCells, saveWithLibreOffice, WRITERS } from './programs.ts';

const folder = await mkdtemp(join(tmpdir(), 'spreadsheets-'));

/** Returns the cells of the first visible sheet by their names, without cells that are reported as errors. */
async function readCells(path: string): Promise<Record<string, unknown>> {
  const otherPieces = (async function* (): AsyncGenerator<Buffer> {})();
  const { sample } = await openSheet(await readFile(path), otherPieces, { fields: {}, required: [] });
  const entries = sample.flatMap(({ line, cells }) =>
    cells.map((cell, index) => [formatCellName({ row: line, column: index + 1 }), toValue(cell)] as const),
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

function toValue(cell: Cell): unknown {
  if (typeof cell === 'string') return cell.replaceAll('\r\n', '\n');
  if ('error' in cell) return '';
  if (cell.type !== 'date') return JSON.parse(cell.value);
  // A time of day without a date is a date before 1905.
  return /^(?:18|19)|^\d\d:/.test(cell.value) ? 'time' : cell.value;
}

for (const { program, isInstalled, versions, write } of WRITERS) {
  if (!isInstalled) console.warn(`missing: ${program}`);
  it.skipIf(!isInstalled).each(versions)(
    `the cells of a workbook that ${program} writes are read as openpyxl reads them: %s`,
    async (version) => {
      const path = join(folder, `${program} ${version}.xlsx`);
      await write(path, version);
      for (const file of [path, await saveWithLibreOffice(path)])
        expect(await readCells(file)).toEqual(await dumpCells(file));
    },
  );
}
