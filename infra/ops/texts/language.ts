import { Option } from '@commander-js/extra-typings';
import { decimalMark, type Language, LANGUAGES, type Text } from '../../../lib/domain/language.ts';
import type { Decimal } from '../../../lib/domain/money.ts';

// A process runs one command, so its language is a state of this module. `runOps` sets it before the command runs.
// Therefore a constant of a module must not contain a translation, which would always be in English.
let language: Language = 'en';

export function setLanguage(newLanguage: Language): void {
  language = newLanguage;
}

export function getLanguage(): Language {
  return language;
}

/** Returns a text in the language of the command. */
export function translate(text: Text): string {
  return text[language];
}

/** Formats an amount for people, with the decimal mark of the language. */
export function formatDecimal(amount: Decimal): string {
  return amount.toFixed().replace('.', translate(decimalMark));
}

/** Returns a number with its noun, such as `1 day` or `2 days`. */
export function formatCount(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The option of the commands whose messages have Spanish texts. The messages of other commands are in English. */
export const languageOption = new Option(
  '--language <language>',
  'language of the messages (default: the language of the system)',
).choices(LANGUAGES);
