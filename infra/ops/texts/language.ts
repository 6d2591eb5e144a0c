import { AsyncLocalStorage } from 'node:async_hooks';
import { Option } from '@commander-js/extra-typings';
import { decimalMark, type Language, LANGUAGES, type Text } from '../../../lib/domain/language.ts';
import type { Decimal } from '../../../lib/domain/money.ts';

/** The language of each run of the command line. A test can have several runs at the same time. */
const run = new AsyncLocalStorage<{ language: Language }>();

/** Runs a command line, whose messages are in English until `setLanguage` is called. */
export function runInEnglish<Result>(work: () => Promise<Result>): Promise<Result> {
  return run.run({ language: 'en' }, work);
}

/** Sets the language of the messages of this run. */
export function setLanguage(language: Language): void {
  const store = run.getStore();
  if (store) store.language = language;
}

/** Returns the language of the messages of this run. */
export function getLanguage(): Language {
  return run.getStore()?.language ?? 'en';
}

/** Returns a text in the language of this run. */
export function translate(text: Text): string {
  return text[getLanguage()];
}

/** Formats an amount for people, with the decimal mark of the language. */
export function formatDecimal(amount: Decimal): string {
  return amount.toFixed().replace('.', translate(decimalMark));
}

/** The option of the commands whose messages have Spanish texts. */
export const languageOption = new Option(
  '--language <language>',
  'language of the messages (default: the language of the system)',
).choices(LANGUAGES);
