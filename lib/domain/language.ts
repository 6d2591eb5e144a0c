/** The languages of the service's texts; English is the default. */
export const LANGUAGES = ['en', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

/** A text in every language. */
export type Text = Readonly<Record<Language, string>>;
