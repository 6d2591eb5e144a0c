import type { Declaration } from '../client/index.ts';
import { fileTexts } from './file-texts.ts';
import type { InvoiceFile, RowError } from './read-invoices.ts';

/** A line is a row without errors, whose declaration can be sent. */
export interface InvoiceLine {
  /** The number of the row in the file. The first row is 1. */
  readonly line: number;
  readonly declaration: Declaration;
}

/** The rows of a file that the clerk has not left out. */
export interface Selection {
  readonly lines: readonly InvoiceLine[];
  /** The errors of the other rows by the numbers of the rows. */
  readonly errorsByLine: ReadonlyMap<number, readonly RowError[]>;
}

/** Selects the rows that the clerk has not left out. A row with the invoice of an earlier selected row is an error. */
export function selectRows({ rows, detected }: InvoiceFile, leftOutLines: ReadonlySet<number>): Selection {
  const idColumn = detected.fields.indexOf('invoice_id');
  const lines: InvoiceLine[] = [];
  const errorsByLine = new Map<number, readonly RowError[]>();
  const firstLineById = new Map<string, number>();
  for (const { line, declaration, errors } of rows.filter((row) => !leftOutLines.has(row.line))) {
    const { invoice_id: id } = declaration;
    const firstLine = id ? firstLineById.get(id) : undefined;
    const allErrors = [...errors];
    if (firstLine) allErrors.push({ column: idColumn, error: fileTexts.repeated(firstLine) });
    else if (id) firstLineById.set(id, line);
    // The cast is sound, because a row without errors has a value of its type for every required field.
    if (allErrors.length === 0) lines.push({ line, declaration: declaration as Declaration });
    else errorsByLine.set(line, allErrors);
  }
  return { lines, errorsByLine };
}
