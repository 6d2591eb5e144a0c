import { hashApiKey } from '../../auth/api-keys.ts';
import { endOf, startOf } from '../../domain/iso-date.ts';
import { decimal } from '../../domain/money.ts';
import { missingLimit, type ToleranceConfig } from '../../domain/tolerance.ts';
import type { Entry, FaultyEntry } from './directory-entries.ts';
import type { EntryValues, ToleranceValue } from './directory-schemas.ts';

/**
 * Applies the rules that a schema cannot express and that need no look into the directory; of two duplicates the second
 * is at fault.
 */
export function checkRules(entries: readonly Entry[]): { entries: Entry[]; rejections: FaultyEntry[] } {
  const claimed = new Map<string, string>();
  const keyed = new Map(
    entries.flatMap((entry) => (entry.kind === 'api_key' && entry.value.key ? [[keyName(entry), entry.path]] : [])),
  );
  const rejections = entries.flatMap((entry) => {
    const faults = [...ownFaults(entry), ...duplicates(entry, claimed), ...sharedName(entry, keyed)];
    return faults.length > 0 ? [{ ...entry, faults }] : [];
  });
  const rejected = new Set(rejections.map(({ path }) => path));
  return { entries: entries.filter(({ path }) => !rejected.has(path)), rejections };
}

type KeyEntry = Extract<Entry, { kind: 'api_key' }>;

function keyName({ tenant, value }: KeyEntry): string {
  return [tenant, value.company_id, value.name].join('\n');
}

/** An entry without a key means the key of its name: no other entry may have that name. */
function sharedName(entry: Entry, keyed: ReadonlyMap<string, string>): string[] {
  if (entry.kind !== 'api_key' || entry.value.key) return [];
  const other = keyed.get(keyName(entry));
  return other === undefined ? [] : [`${entry.path}.name: is that of ${other}, whose key is given: take another name`];
}

/** The tolerance that an entry configures, or null. */
export function toToleranceConfig(value: ToleranceValue | null | undefined): ToleranceConfig | null {
  if (!value) return null;
  const limit = (written: number | null | undefined) => (typeof written === 'number' ? decimal(String(written)) : null);
  return {
    mode: value.mode,
    pct: limit(value.tolerance_pct),
    abs: limit(value.tolerance_abs),
    autoApprove: value.auto_approve,
  };
}

/** The names with which a user can log in, lower case. */
export function loginNames({ email, username }: { email: string; username?: string | null | undefined }): string[] {
  return [...new Set([email, username ?? email].map((name) => name.toLowerCase()))];
}

function ownFaults(entry: Entry): string[] {
  switch (entry.kind) {
    case 'tenant':
    case 'supplier': {
      const config = toToleranceConfig(entry.value.tolerance);
      const missing = config && missingLimit(config);
      return missing ? [`${entry.path}.tolerance.${missing}: is required in mode ${config.mode}`] : [];
    }
    case 'api_key': {
      const { valid_from: from, valid_until: until } = entry.value;
      return startOf(from) > endOf(until) ? [`${entry.path}.valid_until: is before valid_from`] : [];
    }
    case 'user':
    case 'company':
      return [];
  }
}

/** Claims what an entry alone may have, and names what an earlier entry has claimed before. */
function duplicates(entry: Entry, claimed: Map<string, string>): string[] {
  return claimsOf(entry).flatMap(({ property, claim }) => {
    const owner = claimed.get(claim);
    if (owner !== undefined && owner !== entry.path) return [`${entry.path}.${property}: is already that of ${owner}`];
    claimed.set(claim, entry.path);
    return [];
  });
}

function claimsOf(entry: Entry): { property: string; claim: string }[] {
  const { tenant } = entry;
  const claim = (property: string, ...parts: string[]) => ({ property, claim: [tenant, ...parts].join('\n') });
  switch (entry.kind) {
    case 'tenant':
      return [claim('tenant')];
    case 'company':
      return [claim('company_id', 'company', entry.value.company_id)];
    case 'supplier':
      return [claim('supplier_id', 'supplier', entry.value.supplier_id)];
    case 'user':
      return [
        claim('user_id', 'user', entry.value.user_id),
        claim('email', 'login', entry.value.email.toLowerCase()),
        ...(entry.value.username ? [claim('username', 'login', entry.value.username.toLowerCase())] : []),
      ];
    case 'api_key':
      return [keyClaim(entry.value)];
  }

  function keyClaim({ key, company_id: companyId, name }: EntryValues['api_key']) {
    // The key itself is not the tenant's but the world's, and a key that is left out is known by its name.
    return key ? { property: 'key', claim: hashApiKey(key) } : claim('name', 'key', companyId, name);
  }
}
