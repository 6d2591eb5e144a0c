/** A text in both languages. */
export interface Pair {
  readonly en: string;
  readonly es: string;
}

type Worded = string | ((...values: never[]) => string);

/** A table of texts: each has both languages, as texts or as functions of what stands in them. */
export type TextTable = Readonly<Record<string, TextOfTable>>;
type TextOfTable = { readonly en: Worded; readonly es: Worded } | ((...values: never[]) => Pair);

/** The texts of a table in both languages; `#1#` stands for the first value of a text that is a function. */
export function pairsOf(table: TextTable): [name: string, pair: Pair][] {
  return Object.entries(table).map(([name, text]) => {
    const { en, es } = typeof text === 'function' ? worded(text) : text;
    return [name, { en: worded(en), es: worded(es) }];
  });
}

function worded<Text>(text: Text | ((...values: never[]) => Text)): Text {
  if (typeof text !== 'function') return text;
  const make = text as (...values: string[]) => Text;
  return make(...Array.from({ length: make.length }, (_, index) => `#${index + 1}#`));
}

/** What must be the same in both languages: code between backticks, names in capitals, numbers, places of values. */
export function fixedParts(text: string): string[] {
  const code = text.match(/`[^`]+`/g) ?? [];
  const rest = text.replaceAll(/`[^`]+`/g, ' ');
  const names = rest.match(/\b[A-Z][A-Z_]{2,}\b|\b\w*[a-z][A-Z]\w*|#\d#|\d+(?:[.,]\d+)*/g) ?? [];
  return [...code, ...names].toSorted();
}
