import { formatCellName } from '../../client/spreadsheets/scan-sheet.ts';
import type { Columns } from '../../client/spreadsheets/spreadsheet-error.ts';
import type { LineResult } from '../line-result.ts';
import { fieldTexts, outcomeTexts, pageTexts } from '../page-texts.ts';
import { type Field, FIELD_NAMES, type FileRow, type RowError } from '../read-invoices.ts';
import { showAmount, translate } from './language.ts';
import { HeadingCells, RowTable } from './row-table.tsx';
import type { ChosenFile } from './use-chosen-file.ts';

interface InvoiceTableProps {
  readonly chosenFile: ChosenFile;
  readonly columns: Columns<Field>;
  readonly results: readonly LineResult[];
  /** True if the rows cannot be changed. */
  readonly isLocked: boolean;
}

/** Shows the rows of the file with their errors and results. A list above each column shows and changes its field. */
export function InvoiceTable({ results, ...tableProps }: InvoiceTableProps) {
  const { invoices, selection } = tableProps.chosenFile;
  const resultByLine = new Map(results.map((result) => [result.line, result]));
  const needsAttention = ({ line }: FileRow) => {
    const hasError = selection?.errorsByLine.has(line) ?? false;
    const outcome = resultByLine.get(line)?.outcome;
    return hasError || outcome === 'rejected' || outcome === 'unknown';
  };
  return (
    <RowTable
      label={pageTexts.table}
      head={<ColumnHeadings {...tableProps} />}
      rows={invoices?.rows ?? []}
      needsAttention={needsAttention}
      renderRow={(row) => <InvoiceRow key={row.line} row={row} result={resultByLine.get(row.line)} {...tableProps} />}
    />
  );
}

type TableProps = Omit<InvoiceTableProps, 'results'>;

function ColumnHeadings({ chosenFile, columns, isLocked }: TableProps) {
  return (
    <>
      <HeadingCells headings={[pageTexts.row, pageTexts.result, pageTexts.difference]} />
      {columns.headings.map((heading, index) => (
        <th scope="col" key={index}>
          <FieldList
            heading={heading || String(index + 1)}
            field={columns.fields[index]}
            // A choice refers to the column by its heading.
            isLocked={isLocked || heading === ''}
            onField={(field) => chosenFile.chooseField(heading, field)}
          />
          {heading}
        </th>
      ))}
    </>
  );
}

interface FieldListProps {
  readonly heading: string;
  readonly field: Field | null | undefined;
  readonly isLocked: boolean;
  readonly onField: (field: Field | null) => void;
}

function FieldList({ heading, field, isLocked, onField }: FieldListProps) {
  return (
    <select
      aria-label={translate(pageTexts.columnOf(heading))}
      value={field ?? ''}
      disabled={isLocked}
      onChange={({ currentTarget: { value } }) => onField(FIELD_NAMES.find((name) => name === value) ?? null)}
    >
      <option value="">{translate(pageTexts.notUsed)}</option>
      {FIELD_NAMES.map((name) => (
        <option key={name} value={name}>
          {translate(fieldTexts[name])}
        </option>
      ))}
    </select>
  );
}

interface InvoiceRowProps extends TableProps {
  readonly row: FileRow;
  readonly result: LineResult | undefined;
}

/** A row of the file with a checkbox that leaves it out, its result, and its cells with their errors. */
function InvoiceRow({ chosenFile, columns, row: { line, cells }, result, isLocked }: InvoiceRowProps) {
  const outcome = chosenFile.leftOutLines.has(line) ? 'left_out' : result?.outcome;
  const errors = chosenFile.selection?.errorsByLine.get(line) ?? [];
  const rowError = errors.find(({ column }) => column === undefined);
  return (
    <tr class={outcome}>
      <th scope="row" id={formatPlace(line, undefined)}>
        <label>
          <input
            type="checkbox"
            aria-label={translate(pageTexts.include(String(line)))}
            checked={outcome !== 'left_out'}
            disabled={isLocked}
            onChange={(event) => (event.currentTarget.checked ? chosenFile.include(line) : chosenFile.leaveOut([line]))}
          />
          {line}
        </label>
      </th>
      <td class={rowError && 'error'}>
        {outcome && translate(outcomeTexts[outcome])}
        {rowError && <small>{translate(rowError.error)}</small>}
        {result?.error && <small>{result.error.message}</small>}
      </td>
      <td class="amount">
        {result?.tolerance && showAmount(result.tolerance.difference)}
        {result?.tolerance?.within_tolerance === false && <small>{translate(pageTexts.outside)}</small>}
      </td>
      {columns.fields.map((field, index) => {
        const error = errors.find(({ column }) => column === index)?.error;
        const validClass = field === 'amount' ? 'amount' : undefined;
        return (
          <td key={index} id={formatPlace(line, index)} class={error ? 'error' : validClass}>
            {cells[index]}
            {error && <small>{translate(error)}</small>}
          </td>
        );
      })}
    </tr>
  );
}

/** Formats the place of a cell, such as B4, or (without a column) of a row, such as 4. It is the id of the element. */
export function formatPlace(line: number, column: RowError['column']): string {
  return column === undefined ? String(line) : formatCellName({ row: line, column: column + 1 });
}
