export const LANGUAGES = ['en', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Returns the language of a locale, such as `es-AR`. By default, the locale is that of the system, or of `LANG`. */
export function getLanguageOfLocale(locale = Intl.DateTimeFormat().resolvedOptions().locale): Language {
  return /^es(?![a-z])/i.test(locale) ? 'es' : 'en';
}

export type Text = Readonly<Record<Language, string>>;

/** A table of texts, of tables, and of functions that insert values into a text. Each text has every language. */
export type Texts = Readonly<Record<string, Text | Readonly<Record<string, Text>> | ((...values: never[]) => Text)>>;

export const decimalMark: Text = { en: '.', es: ',' };
