import type { Language } from '../../domain/language.ts';

/** Returns the language of a locale, such as `es-AR`. By default, the locale is that of the system, or of `LANG`. */
export function getLanguageOfLocale(locale = Intl.DateTimeFormat().resolvedOptions().locale): Language {
  return /^es(?![a-z])/i.test(locale) ? 'es' : 'en';
}
