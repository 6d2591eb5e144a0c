/** How a language writes values. */
interface LiteralStyle {
  readonly object: readonly [open: string, close: string];
  readonly key: (name: string) => string;
  readonly text: (text: string) => string;
  /** What it calls `true`, `false` and `null`, where those are not its words. */
  readonly words?: Readonly<Record<string, string>>;
  readonly indent: string;
}

const width = 76;

/** A value of JSON as a language writes it: on one line where it fits, else one property on each line. */
export function literal(value: unknown, style: LiteralStyle, indent = ''): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return style.words?.[String(value)] ?? String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : style.object;
  const parts = (inner: string) =>
    Object.entries(value).map(
      ([name, item]) => (Array.isArray(value) ? '' : style.key(name)) + literal(item, style, inner),
    );
  const line = open + parts(indent).join(', ') + close;
  if (indent.length + line.length <= width && !line.includes('\n')) return line;
  const inner = indent + style.indent;
  const lines = parts(inner).map((part) => `${inner}${part},\n`);
  return `${open.trim()}\n${lines.join('')}${indent}${close.trim()}`;
}

/** A text between single quotes, for languages that escape it with a backslash. */
export function singleQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}
