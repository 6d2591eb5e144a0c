import { isUsableKey } from '../../auth/access-rules.ts';
import { hashApiKey } from '../../auth/api-keys.ts';
import { API_KEY_SCOPE, type IssuedApiKey } from '../../domain/directory.ts';
import { startOf } from '../../domain/iso-date.ts';
import { systemClock } from '../../runtime/clock.ts';
import { newUuid } from '../../runtime/ids.ts';
import { changeEntry } from '../apply/change-entry.ts';
import { checkedEntry } from '../apply/directory-rules.ts';
import { changeDirectory, type ChangeResult } from '../directory/change.ts';
import { listApiKeys } from '../directory/lists.ts';
import { keysIn } from '../ports/directory-records.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { OperatorError } from '../operator-error.ts';

type Ports = Pick<AdminPorts, 'records'>;

const LAST_FOUR = 4;

/** The API key that is wanted; unless its dates (ISO 8601) are given, it works from today on, for a year. */
export interface WantedKey {
  readonly tenant: string;
  readonly companyId: string;
  readonly name: string;
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** Makes an API key, unless the company has one of this name that works. */
export function issueKey(
  ports: Ports,
  { tenant, companyId, name, validFrom, validUntil }: WantedKey,
): Promise<ChangeResult> {
  const now = systemClock.now();
  const from = validFrom ?? dayOf(now);
  const key = newUuid();
  const entry = checkedEntry({
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
      valid_until: validUntil ?? yearAfter(from),
    },
  });
  return changeDirectory(ports.records, async (directory) => {
    // Read before the list: the write fails if somebody has made a key of this name since.
    await directory.get(keysIn(tenant).apiKeyName(companyId, name));
    const others = (await listApiKeys(ports, tenant, companyId)).filter((other) => other.name === name);
    const usable = others.find((other) => isUsableKey(other, tenant, now));
    if (usable) {
      const hint = 'revoke it first, or take another name';
      throw new OperatorError(`Company ${companyId} has a key "${name}" that works (…${usable.last4}): ${hint}.`);
    }
    return { ...(await changeEntry(entry, directory)), generatedKey: key };
  });
}

/** Which API key: whole or by its last 4 characters; company and name, if several end so. */
export interface KeyName {
  readonly tenant: string;
  readonly key: string;
  readonly company?: string | undefined;
  readonly name?: string | undefined;
}

/** The one key of this name; throws an OperatorError when there is none, or are several. */
export async function keyNamed(ports: Ports, { tenant, key: text, company, name }: KeyName): Promise<IssuedApiKey> {
  const isMeant = (key: IssuedApiKey) =>
    text.length === LAST_FOUR ? key.last4 === text.toLowerCase() : key.hash === hashApiKey(text);
  const keys = await listApiKeys(ports, tenant, company);
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

/** Revokes an API key: it never works again. */
export async function revokeKey(ports: Ports, keyName: KeyName): Promise<ChangeResult> {
  const { tenant } = keyName;
  const { hash, companyId, name } = await keyNamed(ports, keyName);
  const key = keysIn(tenant).apiKey(hash);
  const revoked = { status: 'INACTIVE', revoked_at: systemClock.now().toISOString() } as const;
  return changeDirectory(ports.records, async (directory) => {
    const stored = await directory.existing(key, `such key in ${tenant}`);
    const after = stored.revoked_at === undefined ? { ...stored, ...revoked } : stored;
    const subject = { kind: 'api_key', tenant, company_id: companyId, name } as const;
    return { subject, record: await directory.changeTo(key, after) };
  });
}

function yearAfter(date: string): string {
  const moment = new Date(startOf(date));
  moment.setUTCFullYear(moment.getUTCFullYear() + 1);
  return dayOf(moment);
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
