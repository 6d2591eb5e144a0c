export const LANGUAGES = ['en', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

export type Text = Readonly<Record<Language, string>>;

/** A table of texts. A function builds a text that contains values. A table without a language does not compile. */
export type Texts = Readonly<Record<string, Text | Readonly<Record<string, Text>> | ((...values: never[]) => Text)>>;
