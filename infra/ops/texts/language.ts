import { Option } from '@commander-js/extra-typings';
import { decimalMark, type Language, LANGUAGES, type Text } from '../../../lib/domain/language.ts';
import type { Decimal } from '../../../lib/domain/money.ts';

let language: Language = 'en';

/** Sets the language of the messages of the command. */
export function setLanguage(newLanguage: Language): void {
  language = newLanguage;
}

/** Returns the language of the messages of the command. */
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

/** The option of the commands whose messages have Spanish texts. */
export const languageOption = new Option(
  '--language <language>',
  'language of the messages (default: the language of the system)',
).choices(LANGUAGES);
