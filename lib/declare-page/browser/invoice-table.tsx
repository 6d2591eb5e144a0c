import { formatCellName } from '../../client/spreadsheets/scan-sheet.ts';
import type { Columns } from '../../client/spreadsheets/spreadsheet-error.ts';
import type { LineResult } from '../declare-lines.ts';
import { fieldTexts, outcomeTexts, pageTexts as texts } from '../page-texts.ts';
import { type Field, FIELD_NAMES, type FileRow, type RowError } from '../read-invoices.ts';
import { showAmount, translate } from './language.ts';
import { selectShownRows } from './shown-rows.ts';

interface InvoiceTableProps {
  readonly columns: Columns<Field>;
  readonly rows: readonly FileRow[];
  readonly errorsByLine: ReadonlyMap<number, readonly RowError[]>;
  readonly results: readonly LineResult[];
  readonly leftOutLines: ReadonlySet<number>;
  /** True while the rows are checked or declared. */
  readonly isFixed: boolean;
  readonly onField: (heading: string, field: Field | null) => void;
  readonly onLeaveOut: (line: number, isLeftOut: boolean) => void;
}

/** Shows the rows of the file with their errors and results; a list above each column shows and changes its field. */
export function InvoiceTable(props: InvoiceTableProps) {
  const { columns, rows, errorsByLine, results, leftOutLines, isFixed, onField, onLeaveOut } = props;
  const resultByLine = new Map(results.map((result) => [result.line, result]));
  const needsAttention = ({ line }: FileRow) =>
    errorsByLine.has(line) || ['rejected', 'unknown'].includes(resultByLine.get(line)?.outcome ?? '');
  const { shownRows, shownCount } = selectShownRows(rows, needsAttention);
  return (
    <>
      {shownCount && <p>{translate(shownCount)}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label={translate(texts.table)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{translate(texts.row)}</th>
              <th scope="col">{translate(texts.result)}</th>
              <th scope="col">{translate(texts.difference)}</th>
              {columns.headings.map((heading, index) => (
                <th scope="col" key={index}>
                  <FieldList
                    heading={heading || String(index + 1)}
                    field={columns.fields[index]}
                    // A column without a heading cannot be named.
                    isFixed={isFixed || heading === ''}
                    onField={(field) => onField(heading, field)}
                  />
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shownRows.map((row) => (
              <InvoiceRow
                key={row.line}
                row={row}
                columns={columns}
                errors={errorsByLine.get(row.line) ?? []}
                result={resultByLine.get(row.line)}
                isLeftOut={leftOutLines.has(row.line)}
                isFixed={isFixed}
                onLeaveOut={(isLeftOut) => onLeaveOut(row.line, isLeftOut)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface FieldListProps {
  readonly heading: string;
  readonly field: Field | null | undefined;
  readonly isFixed: boolean;
  readonly onField: (field: Field | null) => void;
}

function FieldList({ heading, field, isFixed, onField }: FieldListProps) {
  return (
    <select
      aria-label={translate(texts.columnOf(heading))}
      value={field ?? ''}
      disabled={isFixed}
      onChange={({ currentTarget: { value } }) => onField(FIELD_NAMES.find((name) => name === value) ?? null)}
    >
      <option value="">{translate(texts.notUsed)}</option>
      {FIELD_NAMES.map((name) => (
        <option key={name} value={name}>
          {translate(fieldTexts[name])}
        </option>
      ))}
    </select>
  );
}

interface InvoiceRowProps {
  readonly row: FileRow;
  readonly columns: Columns<Field>;
  readonly errors: readonly RowError[];
  readonly result: LineResult | undefined;
  readonly isLeftOut: boolean;
  readonly isFixed: boolean;
  readonly onLeaveOut: (isLeftOut: boolean) => void;
}

function InvoiceRow({ row, columns, errors, result, isLeftOut, isFixed, onLeaveOut }: InvoiceRowProps) {
  const { line, cells } = row;
  const outcome = isLeftOut ? 'left_out' : result?.outcome;
  const rowError = errors.find(({ column }) => column === undefined);
  const difference = result?.tolerance?.difference;
  return (
    <tr class={outcome}>
      <th scope="row" id={toPlace(line, undefined)}>
        <label>
          <input
            type="checkbox"
            aria-label={translate(texts.include(String(line)))}
            checked={!isLeftOut}
            disabled={isFixed}
            onChange={({ currentTarget }) => onLeaveOut(!currentTarget.checked)}
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
        {difference !== undefined && showAmount(difference)}
        {result?.tolerance?.within_tolerance === false && <small>{translate(texts.outside)}</small>}
      </td>
      {columns.headings.map((_, index) => {
        const cellError = errors.find(({ column }) => column === index);
        const amountClass = columns.fields[index] === 'amount' ? 'amount' : undefined;
        return (
          <td key={index} id={toPlace(line, index)} class={cellError ? 'error' : amountClass}>
            {cells[index]}
            {cellError && <small>{translate(cellError.error)}</small>}
          </td>
        );
      })}
    </tr>
  );
}

/** Returns the name of a cell, such as B4, or (without a column) of a row, such as 4. */
export function toPlace(line: number, column: RowError['column']): string {
  return column === undefined ? String(line) : formatCellName({ row: line, column: column + 1 });
}
