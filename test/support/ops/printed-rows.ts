/** The rows of a table as a command printed it; blanks that make columns, and empty cells, are gone. */
export function printedRows(text: string): string[][] {
  return text.split('\n').map((line) => line.split(/ {2,}/));
}
