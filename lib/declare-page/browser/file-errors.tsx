import type { Text } from '../../domain/language.ts';
import { fieldTexts, pageTexts } from '../page-texts.ts';
import { REQUIRED_FIELDS } from '../read-invoices.ts';
import type { Selection } from '../select-rows.ts';
import { formatPlace } from './invoice-table.tsx';
import { showCount, translate } from './language.ts';
import type { Reading } from './read-in-worker.ts';

const MAX_LISTED_ROWS = 10;

/** Describes why a file cannot be read. If the columns are unclear, asks the clerk to choose fields above the columns. */
export function describeFailedReading(error: Text, columns: Reading['columns']): string {
  if (!columns) return translate(error);
  const { headings, fields } = columns;
  const missingFields = REQUIRED_FIELDS.filter((field) => !fields.includes(field));
  if (missingFields.length > 0) {
    const names = missingFields.map((field) => translate(fieldTexts[field]));
    return translate(pageTexts.chooseColumns(names.join(', ')));
  }
  const repeatedHeadings = headings.filter((_, index) => {
    const field = fields[index];
    return field && fields.filter((other) => other === field).length > 1;
  });
  if (repeatedHeadings.length === 0) return translate(error);
  return translate(pageTexts.chooseOneColumn(repeatedHeadings.join(', ')));
}

interface RowErrorsProps extends Pick<Selection, 'errorsByLine'> {
  readonly headings: readonly string[];
  readonly onLeaveOut: (lines: Iterable<number>) => void;
}

/** Lists the first rows with errors, with a button that leaves out all rows with errors. */
export function RowErrors({ headings, errorsByLine, onLeaveOut }: RowErrorsProps) {
  const count = showCount(errorsByLine.size);
  const firstErrors = [...errorsByLine]
    .slice(0, MAX_LISTED_ROWS)
    .flatMap(([line, errors]) => errors.map((error) => ({ line, ...error })));
  return (
    <div role="alert" class="errors">
      <p>{translate(pageTexts.errors(count))}</p>
      <ul>
        {firstErrors.map(({ line, column, error }) => (
          <li key={`${line} ${column}`}>
            <a href={`#${formatPlace(line, column)}`}>{formatPlace(line, column)}</a>{' '}
            {column !== undefined && headings[column]}: {translate(error)}
          </li>
        ))}
      </ul>
      {errorsByLine.size > MAX_LISTED_ROWS && <p>{translate(pageTexts.moreErrors)}</p>}
      <button onClick={() => onLeaveOut(errorsByLine.keys())}>{translate(pageTexts.leaveOutErrors(count))}</button>
    </div>
  );
}
