/** A text in both languages. */
export interface Pair {
  readonly en: string;
  readonly es: string;
}

type TextSource = string | ((...values: never[]) => string);

/** A table of texts: each has both languages, as texts or as functions of what stands in them, or is a table itself. */
export interface TextTable {
  readonly [name: string]: TextEntry | TextTable;
}
type TextEntry = { readonly en: TextSource; readonly es: TextSource } | ((...values: never[]) => Pair);

/** The texts of a table in both languages; `#1#` stands for the first value of a text that is a function. */
export function listPairs(table: TextTable): [name: string, pair: Pair][] {
  return Object.entries(table).flatMap(([name, text]): [string, Pair][] => {
    if (typeof text === 'function') return [[name, fillText(text)]];
    if (!isText(text)) return listPairs(text).map(([inner, pair]) => [`${name}.${inner}`, pair]);
    return [[name, { en: fillText(text.en), es: fillText(text.es) }]];
  });
}

function isText(text: object): text is { readonly en: TextSource; readonly es: TextSource } {
  return 'en' in text;
}

function fillText<Text>(text: Text | ((...values: never[]) => Text)): Text {
  if (typeof text !== 'function') return text;
  const make = text as (...values: object[]) => Text;
  return make(...Array.from({ length: make.length }, (_, index) => createPlaceholder(`#${index + 1}#`)));
}

/** A value that stands in a text: a word, or a text itself. */
function createPlaceholder(name: string): object {
  return Object.assign(Object(name) as object, { en: name, es: name });
}

/** The places of values in a text, each once. */
export function findPlaceholders(text: string): Set<string> {
  return new Set(text.match(/#\d#|\{\w+\}/g));
}

/** What must be the same in both languages: code between backticks, names in capitals, numbers, places of values. */
export function findFixedParts(text: string): string[] {
  const code = text.match(/`[^`]+`/g) ?? [];
  const rest = text.replaceAll(/`[^`]+`|\bNOT\b/g, ' ');
  const names = rest.match(/\b[A-Z][A-Z_]{2,}\b|\b\w*[a-z][A-Z]\w*|#\d#|\d+(?:[.,]\d+)*/g) ?? [];
  return [...code, ...names].toSorted();
}
