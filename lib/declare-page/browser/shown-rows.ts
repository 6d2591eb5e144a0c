import { pageTexts } from '../page-texts.ts';
import { showCount } from './language.ts';

/** More rows would make the page slow. */
const MAX_SHOWN_ROWS = 300;

/**
 * Selects the rows that need attention first, and then the first other ones, in the order of the rows. `shownCount`
 * describes how many rows are shown if some are not.
 */
export function selectShownRows<Row>(rows: readonly Row[], needsAttention: (row: Row) => boolean) {
  if (rows.length <= MAX_SHOWN_ROWS) return { shownRows: rows, shownCount: null };
  const ordered = [...rows.filter(needsAttention), ...rows.filter((row) => !needsAttention(row))];
  const selected = new Set(ordered.slice(0, MAX_SHOWN_ROWS));
  const shownCount = pageTexts.shownRows(showCount(selected.size), showCount(rows.length));
  return { shownRows: rows.filter((row) => selected.has(row)), shownCount };
}
