import type { ComponentChildren } from 'preact';
import type { Text } from '../../domain/language.ts';
import { pageTexts } from '../page-texts.ts';
import { showCount, translate } from './language.ts';

/** More rows would make the page slow. */
const MAX_SHOWN_ROWS = 300;

interface RowTableProps<Row> {
  readonly label: Text;
  readonly head: ComponentChildren;
  readonly rows: readonly Row[];
  readonly needsAttention: (row: Row) => boolean;
  readonly renderRow: (row: Row) => ComponentChildren;
}

/** A table that scrolls in its own region. If it cannot show all rows, it contains those that need attention first. */
export function RowTable<Row>({ label, head, rows, needsAttention, renderRow }: RowTableProps<Row>) {
  const shownRows = selectShownRows(rows, needsAttention);
  return (
    <>
      {shownRows.length < rows.length && (
        <p>{translate(pageTexts.shownRows(showCount(shownRows.length), showCount(rows.length)))}</p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={translate(label)}>
        <table>
          <thead>
            <tr>{head}</tr>
          </thead>
          <tbody>{shownRows.map(renderRow)}</tbody>
        </table>
      </div>
    </>
  );
}

/** Selects the rows that need attention first, and then the first other rows. Keeps the order of the rows. */
function selectShownRows<Row>(rows: readonly Row[], needsAttention: (row: Row) => boolean): readonly Row[] {
  const ordered = [...rows.filter(needsAttention), ...rows.filter((row) => !needsAttention(row))];
  const selected = new Set(ordered.slice(0, MAX_SHOWN_ROWS));
  return rows.filter((row) => selected.has(row));
}

/** The heading cells of columns, for the head of a table. */
export function HeadingCells({ headings }: { headings: readonly Text[] }) {
  return headings.map((heading) => (
    <th scope="col" key={heading.en}>
      {translate(heading)}
    </th>
  ));
}
