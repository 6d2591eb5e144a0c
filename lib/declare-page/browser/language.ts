import { getLanguageOfLocale, type Language, LANGUAGES, type Text } from '../../domain/language.ts';
import { formatAmount, LOCALES } from '../totals.ts';

const chosenLanguage = new URLSearchParams(location.search).get('language');

/** The language of the page, which is that of the followed link or, without it, that of the browser. */
export const language: Language =
  LANGUAGES.find((name) => name === chosenLanguage) ?? getLanguageOfLocale(navigator.language);

export const otherLanguage: Language = language === 'en' ? 'es' : 'en';

/** Returns a text in the language of the page. */
export const translate = (text: Text): string => text[language];

export const showCount = (count: number): string => count.toLocaleString(LOCALES[language]);

export const showTime = (instant: string): string =>
  new Date(instant).toLocaleString(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short' });

export const showAmount = (amount: Parameters<typeof formatAmount>[0]): string => formatAmount(amount, language);
