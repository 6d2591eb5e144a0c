import { createRequire } from 'node:module';
import type * as LanguageCommon from '@zxcvbn-ts/language-common';

const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 128;

/** Why a password must not be given to a user, as it goes on after its name, such as `must have …`; null: it may. */
export function passwordFault(password: string): string | null {
  // U+FFFD is what the bytes of another encoding are read as: nobody could type this password again.
  if (!password.isWellFormed() || password.includes('\uFFFD')) return 'is not well-formed Unicode (UTF-8)';
  const characters = Array.from(password).length;
  if (characters < MIN_CHARACTERS || characters > MAX_CHARACTERS) {
    return `must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`;
  }
  return commonPasswords().has(password.normalize('NFKC').toLowerCase()) ? 'is one of the most common ones' : null;
}

let common: ReadonlySet<string> | undefined;

function commonPasswords(): ReadonlySet<string> {
  // Loaded only where a password is given: it takes a good part of what a command takes to start.
  const load = createRequire(import.meta.url);
  common ??= new Set((load('@zxcvbn-ts/language-common') as typeof LanguageCommon).dictionary['passwords-common']);
  return common;
}
