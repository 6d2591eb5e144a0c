import type { Language, Text } from '../../../domain/language.ts';

/** A table of texts, some of which have values in them; a language that is missing does not compile. */
export type Texts = Readonly<Record<string, Text | Readonly<Record<string, Text>> | ((...values: never[]) => Text)>>;

/** What decides when the command line names no language. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the system says, as Windows does without any variable: a BCP 47 tag. */
  readonly locale: string;
}

const surroundingsOfProcess = (): Surroundings => ({
  env: process.env,
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
});

/** The language of `--lang`, else that of the first variable of POSIX that is set, else that of the system. */
export function languageOf(args: readonly string[], { env, locale } = surroundingsOfProcess()): Language {
  const named = namedIn(args) ?? (env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || locale);
  return /^es(?![a-z])/i.test(named) ? 'es' : 'en';
}

/** Looked up before anything is parsed, because what the parser says is in that language too. */
function namedIn(args: readonly string[]): string | undefined {
  const index = args.findLastIndex((arg) => /^--lang(?:=|$)/.test(arg));
  return args[index]?.split('=')[1] ?? (index === -1 ? undefined : args[index + 1]);
}
