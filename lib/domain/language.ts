export const LANGUAGES = ['en', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

/** A text in each language. */
export type Text = Readonly<Record<Language, string>>;

/** A table of texts. Functions build texts that contain values. A table without one of the languages does not compile. */
export type Texts = Readonly<Record<string, Text | Readonly<Record<string, Text>> | ((...values: never[]) => Text)>>;
