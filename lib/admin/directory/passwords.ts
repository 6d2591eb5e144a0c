import { createRequire } from 'node:module';
import type * as Core from '@zxcvbn-ts/core';
import type * as LanguageCommon from '@zxcvbn-ts/language-common';
import { hashPassword, verifyPassword } from '../../auth/passwords.ts';
import type { DirectoryRecord } from '../ports/directory-records.ts';

const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 128;
/** A shorter name may be in any password by chance. */
const MIN_NAME = 4;
/** With fewer letters and digits than these it is the signs that have to be guessed. */
const MIN_PLAIN = 6;
/** Of zxcvbn's 0 to 4: a million guesses find what has less. */
const MIN_SCORE = 2;

/** The hash to store for a password: the one that is stored while it matches, because a new one always differs. */
export async function passwordHashFor(password: string, stored: string | undefined): Promise<string> {
  const matches = stored !== undefined && (await verifyPassword(password, stored));
  return matches ? stored : hashPassword(password);
}

/** What somebody tries first who guesses the password of this user: e-mail, user name, tenant and company. */
export function namesOf(
  tenant: string,
  { email, username, company_id: companyId }: DirectoryRecord<'user'>,
  company: DirectoryRecord<'company'> | null,
): string[] {
  const names = [email, beforeFirst('@', email), username, tenant, beforeFirst('.', tenant), companyId, company?.name];
  return names.filter((name) => name !== undefined);
}

/** Why a user of these names must not have a password, as it goes on after `password`: `must have …`; null: it may. */
export function passwordFault(password: string, names: readonly string[]): string | null {
  // U+FFFD is what the bytes of another encoding are read as: nobody could type this password again.
  if (!password.isWellFormed() || password.includes('\uFFFD')) return 'is not well-formed Unicode (UTF-8)';
  const characters = Array.from(password).length;
  if (characters < MIN_CHARACTERS || characters > MAX_CHARACTERS) {
    return `must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`;
  }
  const plain = lettersAndDigits(password);
  const plainNames = names.map(lettersAndDigits);
  if (plainNames.some((name) => name.length >= MIN_NAME && plain.includes(name))) {
    return 'contains the e-mail, user name, tenant or company of its user: leave that out';
  }
  const words = [...plainNames, ...names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).map(lettersAndDigits)];
  const isEasy = isGuessed(password.normalize('NFKC'), words) || (plain.length >= MIN_PLAIN && isWords(plain, words));
  return isEasy ? 'is easy to guess: take four words that do not belong together, or 12 random characters' : null;
}

function isGuessed(text: string, words: string[]): boolean {
  return estimator().check(text, words).score < MIN_SCORE;
}

/** Whether a text is known words and digits, and few of them. The signs between them are not what keeps it secret. */
function isWords(text: string, words: string[]): boolean {
  const { score, sequence } = estimator().check(text, words);
  return score < MIN_SCORE && sequence.every(({ pattern, token }) => pattern === 'dictionary' || /^\d+$/.test(token));
}

let loaded: Core.ZxcvbnFactory | undefined;

function estimator(): Core.ZxcvbnFactory {
  if (loaded) return loaded;
  // Loaded only where a password is given: it takes a good part of what a command takes to start.
  const load = createRequire(import.meta.url);
  const { ZxcvbnFactory } = load('@zxcvbn-ts/core') as typeof Core;
  const { dictionary, adjacencyGraphs: graphs } = load('@zxcvbn-ts/language-common') as typeof LanguageCommon;
  loaded = new ZxcvbnFactory({ dictionary: { ...dictionary, years: wordsWithYears() }, graphs });
  return loaded;
}

/** What people put a year behind: seasons, months and countries in both languages; and what the demo does. */
function wordsWithYears(): string[] {
  const words = 'demo primavera verano otoño invierno spring summer autumn fall winter'.split(' ');
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const regions = letters.flatMap((first) => letters.map((second) => first + second));
  for (const language of ['es', 'en']) {
    for (const month of ['long', 'short'] as const) {
      const name = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      for (let index = 0; index < 12; index += 1) words.push(name.format(Date.UTC(2026, index)));
    }
    const country = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    words.push(...regions.flatMap((region) => country.of(region) ?? []));
  }
  return [...new Set(words.map(lettersAndDigits))];
}

/** Without case, accents and signs: `Otoño-2026` is `otono2026`. */
function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function beforeFirst(mark: string, text: string): string {
  return text.split(mark, 1)[0] ?? '';
}
