/** A text in both languages. */
interface Pair {
  readonly en: string;
  readonly es: string;
}

type TextSource = string | ((...values: never[]) => string);

/** A nested table of texts in both languages. A text with variable values is a function. */
export interface TextTable {
  readonly [name: string]: TextEntry | TextTable;
}
type TextEntry = { readonly en: TextSource; readonly es: TextSource } | ((...values: never[]) => Pair);

/** Lists the texts of a table in both languages. In a function, the first value is replaced with `#1#`. */
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

/** Creates a value that works both as a string and as a text in two languages. */
function createPlaceholder(name: string): object {
  return Object.assign(Object(name) as object, { en: name, es: name });
}

/** Finds the distinct placeholders in a text. */
export function findPlaceholders(text: string): Set<string> {
  return new Set(text.match(/#\d#|\{\w+\}/g));
}

/** Finds the parts that must be equal in both languages: code, names in capitals, numbers and placeholders. */
export function findFixedParts(text: string): string[] {
  const code = text.match(/`[^`]+`/g) ?? [];
  const rest = text.replaceAll(/`[^`]+`|\bNOT\b/g, ' ');
  const names = rest.match(/\b[A-Z][A-Z_]{2,}\b|\b\w*[a-z][A-Z]\w*|#\d#|\d+(?:[.,]\d+)*/g) ?? [];
  return [...code, ...names].toSorted();
}
