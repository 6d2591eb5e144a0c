import { type Language, LANGUAGES } from '../domain/language.ts';

interface Range {
  readonly tag: string;
  readonly quality: number;
}

// A language range with an optional weight (RFC 9110, 12.5.4), without surrounding blanks.
const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z\d]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/**
 * Returns the preferred language of an Accept-Language header: the language of the range with the highest weight
 * (`es-AR` is Spanish), and of several the first one. Invalid ranges are ignored. The default is English.
 */
export function preferredLanguage(header: string): Language {
  const ranges = header.toLowerCase().split(',').flatMap(readRange);
  const named = new Set(ranges.map(({ tag }) => tag));
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag));
  const accepted = ranges.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality);
  const languages = accepted.flatMap(({ tag }) =>
    LANGUAGES.filter((language) =>
      tag === '*' ? !named.has(language) : tag.split('-')[0] === language && !refused.has(language),
    ),
  );
  return languages[0] ?? 'en';
}

function readRange(text: string): Range[] {
  const [, tag, weight = '1'] = RANGE.exec(text.trim()) ?? [];
  return tag === undefined ? [] : [{ tag, quality: Number(weight) }];
}
