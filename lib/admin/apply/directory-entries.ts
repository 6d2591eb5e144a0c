import type { DirectorySnapshot } from '../directory/snapshot.ts';
import { compileSchema, type FindFaults } from '../find-faults.ts';
import { OperatorError } from '../operator-error.ts';
import { type EntryKind, type EntryValues, directorySchemas } from './directory-schemas.ts';

/** An entry whose form is right; `path` says where in the file it is, such as `tenants[0].users[2]`. */
export type Entry = {
  [Kind in EntryKind]: {
    readonly kind: Kind;
    readonly path: string;
    readonly tenant: string;
    readonly value: EntryValues[Kind];
  };
}[EntryKind];

/** An entry of one kind. */
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** What the change of an entry is made of; what is wrong with the entry is added to `faults`. */
export interface EntryContext {
  readonly directory: DirectorySnapshot;
  readonly faults: string[];
  /** That of the password that the entry gives. */
  readonly passwordHash?: string | undefined;
}

/** An entry that is not applied, with every fault as `path: reason`. */
export interface Rejection {
  readonly path: string;
  readonly faults: readonly string[];
}

/** A rejection of an entry whose form or rules are wrong, with what it says. */
export interface FaultyEntry extends Rejection {
  readonly kind: EntryKind;
  readonly tenant: string;
  readonly value: unknown;
}

const LISTS = [
  ['companies', 'company'],
  ['suppliers', 'supplier'],
  ['users', 'user'],
  ['api_keys', 'api_key'],
] as const;

/** The faults in the form of an entry of each kind. */
export const findFaults = Object.fromEntries(
  Object.entries(directorySchemas).map(([kind, schema]) => [kind, compileSchema(schema)]),
) as Record<EntryKind, FindFaults>;

/**
 * Takes a directory file apart, in an order in which what is referred to comes first; throws an OperatorError when
 * there is no list of tenants.
 */
export function readEntries(document: unknown): { entries: Entry[]; rejections: FaultyEntry[] } {
  const tenants = (document as { tenants?: unknown } | null)?.tenants;
  if (!Array.isArray(tenants)) throw new OperatorError('The file has no list "tenants".');
  const entries: Entry[] = [];
  const rejections: FaultyEntry[] = [];
  const add = (kind: EntryKind, path: string, tenant: string, value: unknown) => {
    const faults = findFaults[kind](value, path);
    if (faults.length > 0) rejections.push({ kind, path, tenant, value, faults });
    else entries.push({ kind, path, tenant, value } as Entry);
  };
  for (const [position, value] of tenants.entries()) {
    const path = `tenants[${position}]`;
    const tenant = String(value?.tenant);
    add('tenant', path, tenant, value);
    for (const [list, kind] of LISTS) {
      const values: unknown = value?.[list];
      if (!Array.isArray(values)) continue;
      for (const [index, item] of values.entries()) add(kind, `${path}.${list}[${index}]`, tenant, item);
    }
  }
  return { entries, rejections };
}
