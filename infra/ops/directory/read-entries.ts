import type { EntityKind, FileValue } from '../../../lib/domain/directory-fields.ts';
import { toEndInstant, toStartInstant } from '../../../lib/domain/iso-date.ts';
import { findMissingLimit } from '../../../lib/domain/tolerance.ts';
import { OperatorError } from '../operator-errors.ts';
import type { keysIn } from '../tables/directory-records.ts';
import type { DirectorySnapshot } from './change-directory.ts';
import { findSchemaErrors, LISTS } from './entry-schemas.ts';

/** An entry of a file. `path` is its location in the file, such as `tenants[0].users[2]`. */
export interface EntryOf<Kind extends EntityKind> {
  readonly kind: Kind;
  readonly path: string;
  readonly tenant: string;
  readonly value: FileValue<Kind>;
}

export type Entry = { [Kind in EntityKind]: EntryOf<Kind> }[EntityKind];

/** What the plan of an entry needs besides the entry. */
export interface EntryContext {
  readonly directory: DirectorySnapshot;
  readonly tenant: string;
  readonly keys: ReturnType<typeof keysIn>;
  /** The password of the demo users, which no rule rejects. Only the service on this machine has one. */
  readonly demoPassword: string | undefined;
  /** Adds an error of a property of the entry. */
  readonly reject: (property: string, reason: string) => void;
}

/** Lists the entries, each after those that it refers to. Throws an OperatorError without a list "tenants". */
export function* listEntries(document: unknown): Generator<Entry> {
  const tenants = (document as { tenants?: unknown } | null)?.tenants;
  if (!Array.isArray(tenants)) throw new OperatorError('The file has no list "tenants".');
  for (const [position, value] of tenants.entries()) {
    const path = `tenants[${position}]`;
    const tenant = String(value?.tenant);
    yield { kind: 'tenant', path, tenant, value };
    for (const [name, kind] of Object.entries(LISTS)) {
      const values: unknown = value?.[name];
      if (!Array.isArray(values)) continue;
      const entries = values.map((each, index): Entry => {
        return { kind, path: `${path}.${name}[${index}]`, tenant, value: each };
      });
      // Without a key, the name of an entry identifies the latest key of this name, which can be of another entry.
      yield* entries.filter((entry) => !isApiKeyWithoutKey(entry));
      yield* entries.filter(isApiKeyWithoutKey);
    }
  }
}

function isApiKeyWithoutKey({ kind, value }: Entry): boolean {
  return kind === 'api_key' && !value?.key;
}

/** Finds the errors of an entry that need no read of Directory, each as `path: reason`. */
export function findErrors({ kind, path, value }: Entry): string[] {
  const errors = findSchemaErrors[kind](value, path);
  if (errors.length > 0 || kind === 'company' || kind === 'user') return errors;
  if (kind === 'api_key') {
    const isReversed = toStartInstant(value.valid_from) > toEndInstant(value.valid_until);
    return isReversed ? [`${path}.valid_until: is before valid_from`] : [];
  }
  if (!value.tolerance) return [];
  const { mode, tolerance_pct: pct, tolerance_abs: abs } = value.tolerance;
  const missing = findMissingLimit(mode, pct, abs);
  return missing ? [`${path}.tolerance.tolerance_${missing}: is required in mode ${mode}`] : [];
}
