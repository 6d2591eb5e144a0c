import { fieldTexts, pageTexts } from '../page-texts.ts';
import { REQUIRED_FIELDS } from '../read-invoices.ts';
import type { Selection } from '../select-rows.ts';
import { ErrorList } from './error-list.tsx';
import { formatPlace } from './invoice-table.tsx';
import { showCount, translate } from './language.ts';
import type { ReadFailure } from './read-in-worker.ts';

/** Describes why a file cannot be read. If the columns are unclear, asks the clerk to choose fields above the columns. */
export function describeReadFailure({ error, columns }: ReadFailure): string {
  if (columns === null) return translate(error);
  const { headings, fields } = columns;
  const missingFields = REQUIRED_FIELDS.filter((field) => !fields.includes(field));
  if (missingFields.length > 0) {
    const names = missingFields.map((field) => translate(fieldTexts[field]));
    return translate(pageTexts.chooseColumns(names.join(', ')));
  }
  const repeatedFields = fields.filter((field, index) => field && fields.indexOf(field) < index);
  const repeatedHeadings = headings.filter((_, index) => repeatedFields.includes(fields[index]));
  // The third cause is a hidden column, which the error describes.
  if (repeatedHeadings.length === 0) return translate(error);
  return translate(pageTexts.chooseOneColumn(repeatedHeadings.join(', ')));
}

interface RowErrorsProps extends Pick<Selection, 'errorsByLine'> {
  readonly headings: readonly string[];
  readonly onLeaveOut: (lines: Iterable<number>) => void;
}

/** Lists the errors of the rows, with a button that leaves out all rows with errors. */
export function RowErrors({ headings, errorsByLine, onLeaveOut }: RowErrorsProps) {
  const count = showCount(errorsByLine.size);
  const errors = [...errorsByLine].flatMap(([line, rowErrors]) =>
    rowErrors.map(({ column, error }) => {
      const place = formatPlace(line, column);
      const heading = column === undefined ? '' : headings[column];
      return { place, linkText: place, text: ` ${heading}: ${translate(error)}` };
    }),
  );
  return (
    <div role="alert" class="errors">
      <ErrorList title={pageTexts.errors(count)} errors={errors} />
      <button onClick={() => onLeaveOut(errorsByLine.keys())}>{translate(pageTexts.leaveOutErrors(count))}</button>
    </div>
  );
}
