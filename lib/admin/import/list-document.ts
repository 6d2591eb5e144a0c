/**
 * A parser of the document that `list-invoices --json` prints: `{"tenant": …, "invoices": [ … ], "totals": …}`,
 * indented, with the opening and the closing brace of each record on separate lines.
 */
export class ListDocument {
  #part: 'head' | 'list' | 'tail' | 'end' = 'head';
  #record: { readonly indent: string; readonly lines: string[] } | null = null;

  /** True if this is the first line of such a document. */
  static isStart(line: string): boolean {
    return line === '{';
  }

  /** Adds the next line. Returns the record or other list entry that ends with this line, as JSON; otherwise null. */
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

  /** Returns the error of a document that ends before it is complete, or null. */
  findError(): string | null {
    if (this.#part === 'end') return null;
    if (this.#part === 'head') return 'the JSON document has no list "invoices"; NDJSON has one record per line';
    return 'the document is truncated here';
  }
}
