/**
 * Finds the records in the lines of a document that `list-invoices --json` prints: `{"tenant": …, "invoices": [ … ],
 * "totals": …}`, indented, with each bracket of a record on a line of its own.
 */
export class ListDocument {
  #part: 'head' | 'list' | 'tail' | 'end' = 'head';
  #record: { readonly indent: string; readonly lines: string[] } | null = null;

  /** True if this is the first line of such a document. */
  static isStart(line: string): boolean {
    return line === '{';
  }

  /** Takes the next line; returns the JSON that ends with it: a record, or what is not one. */
  add(line: string): string | null {
    if (this.#record) {
      this.#record.lines.push(line);
      const { indent, lines } = this.#record;
      if (line !== `${indent}}` && line !== `${indent}},`) return null;
      this.#record = null;
      return lines.join('\n').trim().replace(/,$/, '');
    }
    const text = line.trim();
    if (this.#part === 'list' && text === '{')
      this.#record = { indent: line.slice(0, line.indexOf('{')), lines: [line] };
    else if (this.#part === 'list' && (text === ']' || text === '],')) this.#part = 'tail';
    else if (this.#part === 'list' && text !== '') return text;
    else if (this.#part === 'head' && text === '"invoices": [') this.#part = 'list';
    else if (this.#part === 'head' && /^"invoices": \[\],?$/.test(text)) this.#part = 'tail';
    else if (this.#part === 'tail' && line === '}') this.#part = 'end';
    return null;
  }

  /** Returns why a document that has no more lines is not complete, or null. */
  findError(): string | null {
    if (this.#part === 'end') return null;
    if (this.#part === 'head') return 'is a JSON document without a list "invoices"; records have one line each';
    return 'the document is cut off here';
  }
}
