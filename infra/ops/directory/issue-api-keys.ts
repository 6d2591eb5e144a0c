import { isUsableKey } from '../../../lib/auth/access-rules.ts';
import { hashApiKey } from '../../../lib/auth/api-keys.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { API_KEY_SCOPE, toEntity } from '../../../lib/domain/directory.ts';
import { startOf } from '../../../lib/domain/iso-date.ts';
import { keysIn } from '../../../lib/domain/record-keys.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import { OperatorError } from '../operator-error.ts';
import { changeDirectory, type ChangeResult } from './change-directory.ts';
import { listApiKeys, type ListedApiKey } from './read-directory.ts';
import { planEntry } from './plan-entry.ts';
import { checkEntry } from './read-entries.ts';

type Ports = Pick<AdminPorts, 'records'>;

/** The number of characters at the end of an API key by which lists and commands identify it. */
export const LAST_FOUR = 4;

/** An API key to issue. Without dates (ISO 8601), it is valid from today for one year. */
export interface NewApiKey {
  readonly tenant: string;
  readonly companyId: string;
  readonly name: string;
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** Issues an API key; throws an OperatorError if the company has a usable API key with this name. */
export function issueKey(
  ports: Ports,
  { tenant, companyId, name, validFrom, validUntil }: NewApiKey,
  key: string = newUuid(),
): Promise<ChangeResult> {
  const now = systemClock.now();
  const from = validFrom ?? toDay(now);
  const entry = checkEntry({
    kind: 'api_key',
    path: 'api_key',
    tenant,
    value: {
      key,
      company_id: companyId,
      name,
      scope: API_KEY_SCOPE,
      status: 'ACTIVE',
      valid_from: from,
      valid_until: validUntil ?? addYear(from),
    },
  });
  return changeDirectory(ports.records, async (directory) => {
    // Read before the list, so that the write fails if another command issues a key of this name meanwhile.
    await directory.get(keysIn(tenant).apiKeyName(companyId, name));
    const others = (await listApiKeys(ports, tenant, companyId)).filter((other) => other.name === name);
    const usable = others.find((other) => isUsableKey(toEntity.api_key(other), tenant, now));
    if (usable) {
      const hint = 'Revoke it first, or use another name';
      throw new OperatorError(`Company ${companyId} already has an active key "${name}" (…${usable.last4}). ${hint}.`);
    }
    return { ...(await planEntry(entry, directory)), generatedKey: key };
  });
}

/**
 * Finds an API key by its text or its last 4 characters; `company` and `name` select one of several matches. Throws an
 * OperatorError unless exactly one key matches.
 */
export async function findApiKey(
  ports: Ports,
  tenant: string,
  text: string,
  { company, name }: { readonly company?: string | undefined; readonly name?: string | undefined },
): Promise<ListedApiKey> {
  const hasText = (key: ListedApiKey) =>
    text.length === LAST_FOUR ? key.last4 === text.toLowerCase() : key.key_hash === hashApiKey(text);
  const keys = await listApiKeys(ports, tenant, company);
  const found = keys.filter((key) => hasText(key) && (name === undefined || key.name === name));
  const [only, second] = found;
  if (!only) {
    throw new OperatorError('The key does not exist. list-keys shows the last 4 characters of each key.');
  }
  if (second) {
    const each = found.map((key) => `  "${key.name}" of company ${key.company_id}, valid until ${key.valid_until}`);
    const hint = 'Pass --company C or --name N, or pass - and enter the whole key.';
    throw new OperatorError([`Several keys end in ${only.last4}:`, ...each, hint].join('\n'));
  }
  return only;
}

/** Revokes an API key permanently. */
export function revokeKey(ports: Ports, tenant: string, hash: string): Promise<ChangeResult> {
  const key = keysIn(tenant).apiKey(hash);
  return changeDirectory(ports.records, async (directory) => {
    const stored = await directory.get(key);
    if (!stored) throw new OperatorError(`The key does not exist in ${tenant}.`);
    const revokedAt = stored.revoked_at ?? systemClock.now().toISOString();
    return { record: await directory.planChange(key, { ...stored, status: 'INACTIVE', revoked_at: revokedAt }) };
  });
}

function addYear(date: string): string {
  const moment = new Date(startOf(date));
  moment.setUTCFullYear(moment.getUTCFullYear() + 1);
  return toDay(moment);
}

function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
