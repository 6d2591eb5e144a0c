export const LANGUAGES = ['en', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

export type Text = Readonly<Record<Language, string>>;

/** A table of texts, some of which have values in them; a language that is missing does not compile. */
export type Texts = Readonly<Record<string, Text | Readonly<Record<string, Text>> | ((...values: never[]) => Text)>>;
