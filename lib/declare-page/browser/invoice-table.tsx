import { formatCellName } from '../../client/spreadsheets/scan-sheet.ts';
import type { Columns } from '../../client/spreadsheets/spreadsheet-error.ts';
import type { LineResult } from '../line-result.ts';
import { fieldTexts, outcomeTexts, pageTexts } from '../page-texts.ts';
import { type Field, FIELD_NAMES, type FileRow, type RowError } from '../read-invoices.ts';
import { showAmount, translate } from './language.ts';
import { HeadingCells, RowTable } from './row-table.tsx';
import type { ChosenFile } from './use-chosen-file.ts';

interface InvoiceTableProps {
  readonly file: ChosenFile;
  readonly columns: Columns<Field>;
  readonly results: readonly LineResult[];
  /** True if the rows cannot be changed. */
  readonly isLocked: boolean;
}

/** Shows the rows of the file with their errors and results. A list above each column shows and changes its field. */
export function InvoiceTable({ file, columns, results, isLocked }: InvoiceTableProps) {
  const { invoices, selection } = file;
  const resultByLine = new Map(results.map((result) => [result.line, result]));
  const needsAttention = ({ line }: FileRow) => {
    const outcome = resultByLine.get(line)?.outcome;
    return Boolean(selection?.errorsByLine.has(line)) || outcome === 'rejected' || outcome === 'unknown';
  };
  const fieldCells = columns.headings.map((heading, index) => (
    <th scope="col" key={index}>
      <FieldList
        heading={heading || String(index + 1)}
        field={columns.fields[index]}
        // A choice refers to the column by its heading.
        isLocked={isLocked || heading === ''}
        onField={(field) => file.chooseField(heading, field)}
      />
      {heading}
    </th>
  ));
  return (
    <RowTable
      label={pageTexts.table}
      head={
        <>
          <HeadingCells headings={[pageTexts.row, pageTexts.result, pageTexts.difference]} />
          {fieldCells}
        </>
      }
      rows={invoices?.rows ?? []}
      needsAttention={needsAttention}
      renderRow={(row) => (
        <InvoiceRow
          key={row.line}
          file={file}
          columns={columns}
          row={row}
          result={resultByLine.get(row.line)}
          isLocked={isLocked}
        />
      )}
    />
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

interface InvoiceRowProps extends Omit<InvoiceTableProps, 'results'> {
  readonly row: FileRow;
  readonly result: LineResult | undefined;
}

/** A row of the file with a checkbox that leaves it out, its result, and its cells with their errors. */
function InvoiceRow({ file, columns, row, result, isLocked }: InvoiceRowProps) {
  const { line, cells } = row;
  const tolerance = result?.tolerance;
  const isLeftOut = file.leftOutLines.has(line);
  const outcome = isLeftOut ? 'left_out' : result?.outcome;
  const errors = file.selection?.errorsByLine.get(line) ?? [];
  const rowError = errors.find(({ column }) => column === undefined);
  const toggle = () => (isLeftOut ? file.include(line) : file.leaveOut([line]));
  return (
    <tr class={outcome}>
      <th scope="row" id={formatPlace(line, undefined)}>
        <label>
          <input
            type="checkbox"
            aria-label={translate(pageTexts.include(String(line)))}
            checked={!isLeftOut}
            disabled={isLocked}
            onChange={toggle}
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
        {tolerance && showAmount(tolerance.difference)}
        {tolerance?.within_tolerance === false && <small>{translate(pageTexts.outside)}</small>}
      </td>
      {columns.headings.map((_, index) => {
        const cellError = errors.find(({ column }) => column === index);
        const amountClass = columns.fields[index] === 'amount' ? 'amount' : undefined;
        return (
          <td key={index} id={formatPlace(line, index)} class={cellError ? 'error' : amountClass}>
            {cells[index]}
            {cellError && <small>{translate(cellError.error)}</small>}
          </td>
        );
      })}
    </tr>
  );
}

/** Formats the place of a cell, such as B4, or (without a column) of a row, such as 4. It is also the id of the element. */
export function formatPlace(line: number, column: RowError['column']): string {
  return column === undefined ? String(line) : formatCellName({ row: line, column: column + 1 });
}
