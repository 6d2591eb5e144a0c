import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { hashPassword, verifyPassword } from '../../../lib/access/passwords.ts';
import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';

const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 128;
// A shorter name can be part of a password by chance.
const MIN_NAME_LENGTH = 4;
// With fewer letters and digits, the strength of a password depends on its other characters.
const MIN_LETTERS_AND_DIGITS = 6;
// The minimum score of zxcvbn, from 0 to 4. A lower score means at most a million guesses.
const MIN_SCORE = 2;

/** The words that people combine with a year, in both languages, such as seasons, months and countries. */
const YEAR_WORDS = [
  'demo primavera verano otoño invierno spring summer autumn fall winter',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'january february march april may june july august september october november december',
  'argentina bolivia brasil brazil chile colombia ecuador españa spain méxico paraguay perú uruguay venezuela',
].flatMap((line) => line.split(' ').map(toLettersAndDigits));

let loadedEstimator: Promise<ZxcvbnFactory> | undefined;

/** Hashes a password. Returns the stored hash if it matches, because a new hash is always different. */
export async function toPasswordHash(password: string, storedHash: string | undefined): Promise<string> {
  const isUnchanged = storedHash !== undefined && (await verifyPassword(password, storedHash));
  return isUnchanged ? storedHash : hashPassword(password);
}

/** Returns the error of a user's password, such as `must have 8 to 128 characters`, or null if it is allowed. */
export async function findPasswordError(
  password: string,
  tenant: string,
  { email, username = '', company_id: companyId }: DirectoryRecord<'user'>,
  company: DirectoryRecord<'company'> | null,
): Promise<string | null> {
  // U+FFFD replaces bytes of another encoding. The user could not type such a password.
  if (!password.isWellFormed() || password.includes('\uFFFD')) return 'is not well-formed Unicode (UTF-8)';
  const characterCount = Array.from(password.normalize('NFC')).length;
  if (characterCount < MIN_CHARACTERS || characterCount > MAX_CHARACTERS) {
    return `must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`;
  }

  // An attacker tries these names first. `ana` is the local part of `ana@demo.example`, and `demo` its tenant.
  const localPart = email.replace(/@.*/s, '');
  const tenantLabel = tenant.replace(/\..*/s, '');
  const names = [email, localPart, username, tenant, tenantLabel, companyId, company?.name ?? ''];
  const plainNames = names.map(toLettersAndDigits);
  const plainPassword = toLettersAndDigits(password);
  if (plainNames.some((name) => name.length >= MIN_NAME_LENGTH && plainPassword.includes(name))) {
    return 'must not contain the e-mail, user name, tenant or company of its user';
  }

  const nameParts = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).map(toLettersAndDigits);
  const ownWords = [...plainNames, ...nameParts].filter((word) => word !== '');
  const isEasy = await isEasyToGuess(password, ownWords);
  return isEasy ? 'is easy to guess: use four unrelated words, or 12 random characters' : null;
}

/** True if zxcvbn guesses a password too easily. `ownWords` are the words that an attacker of this user tries first. */
async function isEasyToGuess(password: string, ownWords: string[]): Promise<boolean> {
  loadedEstimator ??= createEstimator();
  const estimator = await loadedEstimator;
  const unchangedPassword = estimator.check(password.normalize('NFKC'), ownWords);
  if (unchangedPassword.score < MIN_SCORE) return true;

  // Other characters between the letters must not hide a known word with digits, such as `v.e.r.a.n.o.2026`.
  const plainPassword = toLettersAndDigits(password);
  if (plainPassword.length < MIN_LETTERS_AND_DIGITS) return false;
  const { score, sequence } = estimator.check(plainPassword, ownWords);
  const isWordsAndDigits = sequence.every(({ pattern, token }) => pattern === 'dictionary' || /^\d+$/.test(token));
  return score < MIN_SCORE && isWordsAndDigits;
}

async function createEstimator(): Promise<ZxcvbnFactory> {
  // Loaded only if a password is checked, because loading takes much of the start time of a command.
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const { dictionary, adjacencyGraphs } = await import('@zxcvbn-ts/language-common');
  return new ZxcvbnFactory({ dictionary: { ...dictionary, years: YEAR_WORDS }, graphs: adjacencyGraphs });
}

/** Removes case, accents and other characters: `Otoño-2026` becomes `otono2026`. */
function toLettersAndDigits(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
