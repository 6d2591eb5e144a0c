/** The cells of a record of a CSV; null when a quote is out of place. */
export function splitCells(record: string): string[] | null {
  const cells: string[] = [];
  let parts: string[] = [];
  let isQuoted = false;
  for (const part of record.split(',')) {
    parts.push(part);
    if (part.split('"').length % 2 === 0) isQuoted = !isQuoted;
    if (isQuoted) continue;
    const cell = unquoted(parts.join(','));
    if (cell === null) return null;
    cells.push(cell);
    parts = [];
  }
  return isQuoted ? null : cells;
}

function unquoted(cell: string): string | null {
  if (!cell.includes('"')) return cell;
  // Within quotes, each quote of the text is written twice.
  const isWhole = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  if (!isWhole || cell.slice(1, -1).replaceAll('""', '').includes('"')) return null;
  return cell.slice(1, -1).replaceAll('""', '"');
}
