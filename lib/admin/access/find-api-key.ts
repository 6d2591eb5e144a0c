import { hashApiKey } from '../../auth/api-keys.ts';
import type { IssuedApiKey } from '../../domain/directory.ts';
import { OperatorError } from '../operator-error.ts';

const LAST_FOUR = 4;

/**
 * The one key that is given whole or by its last 4 characters, and by its name if there is one; else throws a
 * OperatorError.
 */
export function findApiKey(keys: readonly IssuedApiKey[], text: string, name: string | undefined): IssuedApiKey {
  const isMeant = (key: IssuedApiKey) =>
    text.length === LAST_FOUR ? key.last4 === text.toLowerCase() : key.hash === hashApiKey(text);
  const found = keys.filter((key) => isMeant(key) && (name === undefined || key.name === name));
  const [only, another] = found;
  if (!only) {
    const hint = 'name it by its last 4 characters, as list-keys shows them, or whole';
    throw new OperatorError(`There is no such key; ${hint}.`);
  }
  if (another) {
    const each = found.map((key) => `  "${key.name}" of company ${key.companyId}, valid until ${key.validUntil}`);
    const hint = 'Name one: --company C, --name N, or the whole key.';
    throw new OperatorError([`Several keys end in ${only.last4}:`, ...each, hint].join('\n'));
  }
  return only;
}
