/** How a language writes values. */
export interface LiteralStyle {
  readonly object: readonly [open: string, close: string];
  readonly key: (name: string) => string;
  readonly text: (text: string) => string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  /** What stands inside the braces of an object on one line. */
  readonly padding: string;
  readonly indent: string;
}

const width = 76;

/** A value of JSON as a language writes it: on one line where it fits, else one property on each line. */
export function literal(value: unknown, style: LiteralStyle, indent = ''): string {
  if (typeof value === 'string') return style.text(value);
  if (value === null || typeof value === 'boolean') return style.words[`${value}`];
  if (typeof value !== 'object') return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? (['[', ']'] as const) : style.object;
  const parts = (inner: string) =>
    Array.isArray(value)
      ? value.map((item) => literal(item, style, inner))
      : Object.entries(value).map(([name, item]) => style.key(name) + literal(item, style, inner));
  const padding = Array.isArray(value) ? '' : style.padding;
  const line = open + padding + parts(indent).join(', ') + padding + close;
  if (indent.length + line.length <= width && !line.includes('\n')) return line;
  const inner = indent + style.indent;
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close}`;
}

/** A text between single quotes, for languages that escape it with a backslash. */
export function singleQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}
