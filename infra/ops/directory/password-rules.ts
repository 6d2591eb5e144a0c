import { createRequire } from 'node:module';
import type * as Core from '@zxcvbn-ts/core';
import type * as LanguageCommon from '@zxcvbn-ts/language-common';
import { hashPassword, verifyPassword } from '../../../lib/access/passwords.ts';
import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';

const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 128;
/** A shorter name can be part of a password by chance. */
const MIN_NAME = 4;
/** With fewer letters and digits, the strength of a password depends on its other characters. */
const MIN_PLAIN = 6;
/** The minimum score of zxcvbn (0 to 4): a lower score means at most a million guesses. */
const MIN_SCORE = 2;

/** Hashes a password; returns the stored hash if it matches, because a new hash is always different. */
export async function toPasswordHash(password: string, stored: string | undefined): Promise<string> {
  const matches = stored !== undefined && (await verifyPassword(password, stored));
  return matches ? stored : hashPassword(password);
}

/** Returns the error of a password of a user, without its subject (`must have …`); null if the password is allowed. */
export function findPasswordError(
  password: string,
  tenant: string,
  { email, username = '', company_id: companyId }: DirectoryRecord<'user'>,
  company: DirectoryRecord<'company'> | null,
): string | null {
  // Bytes of another encoding are decoded as U+FFFD: this password could not be typed again.
  if (!password.isWellFormed() || password.includes('\uFFFD')) return 'is not well-formed Unicode (UTF-8)';
  const characters = Array.from(password).length;
  if (characters < MIN_CHARACTERS || characters > MAX_CHARACTERS) {
    return `must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`;
  }
  const plain = toLettersAndDigits(password);
  // The names that an attacker tries first, with the parts before the @ and the first dot.
  const names = [
    email,
    email.replace(/@.*/s, ''),
    username,
    tenant,
    tenant.replace(/\..*/s, ''),
    companyId,
    company?.name ?? '',
  ];
  const plainNames = names.map(toLettersAndDigits);
  if (plainNames.some((name) => name.length >= MIN_NAME && plain.includes(name))) {
    return 'must not contain the e-mail, user name, tenant or company of its user';
  }
  const words = [...plainNames, ...names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).map(toLettersAndDigits)];
  const isEasy = loadEstimator().check(password.normalize('NFKC'), words).score < MIN_SCORE;
  // Without its other characters, the password must not consist of few known words and digits.
  const { score, sequence } = loadEstimator().check(plain, words);
  const isOfWords = sequence.every(({ pattern, token }) => pattern === 'dictionary' || /^\d+$/.test(token));
  return isEasy || (plain.length >= MIN_PLAIN && score < MIN_SCORE && isOfWords)
    ? 'is easy to guess: use four unrelated words, or 12 random characters'
    : null;
}

let loaded: Core.ZxcvbnFactory | undefined;

function loadEstimator(): Core.ZxcvbnFactory {
  if (loaded) return loaded;
  // Loaded only if a password is checked, because loading takes much of the start time of a command.
  const load = createRequire(import.meta.url);
  const { ZxcvbnFactory } = load('@zxcvbn-ts/core') as typeof Core;
  const { dictionary, adjacencyGraphs: graphs } = load('@zxcvbn-ts/language-common') as typeof LanguageCommon;
  loaded = new ZxcvbnFactory({ dictionary: { ...dictionary, years: buildYearWords() }, graphs });
  return loaded;
}

/** Builds the words that people combine with a year: seasons, months and countries in both languages, and `demo`. */
function buildYearWords(): string[] {
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
  return [...new Set(words.map(toLettersAndDigits))];
}

/** Removes case, accents and other characters: `Otoño-2026` becomes `otono2026`. */
function toLettersAndDigits(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
