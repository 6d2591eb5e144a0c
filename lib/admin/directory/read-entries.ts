import type { EntityKind, FileValue } from '../../domain/directory-fields.ts';
import { OperatorError } from '../operator-error.ts';
import { findErrors, LISTS } from './entry-schemas.ts';
import type { DirectorySnapshot } from './snapshot.ts';

/** A valid entry of a file. `path` is its location in the file, such as `tenants[0].users[2]`. */
export type EntryOf<Kind extends EntityKind> = {
  readonly kind: Kind;
  readonly path: string;
  readonly tenant: string;
  readonly value: FileValue<Kind>;
};

/** An entry of any kind. */
export type Entry = { [Kind in EntityKind]: EntryOf<Kind> }[EntityKind];

/** The context of planning the change of an entry; the errors of the entry are added to `errors`. */
export interface EntryContext {
  readonly directory: DirectorySnapshot;
  readonly errors: string[];
  /** The hash of the password of the entry. */
  readonly passwordHash?: string | undefined;
}

/** An entry that is not applied, with every error as `path: reason`. */
export interface Rejection {
  readonly path: string;
  readonly errors: readonly string[];
}

/** The rejection of an entry that violates its schema or the rules, with its value. */
export interface InvalidEntry extends Rejection {
  readonly kind: EntityKind;
  readonly tenant: string;
  readonly value: unknown;
}

/**
 * Reads the entries of a directory file. An entry comes after the entries that it refers to. Throws an OperatorError if
 * there is no list of tenants.
 */
export function readEntries(document: unknown): { entries: Entry[]; rejections: InvalidEntry[] } {
  const tenants = (document as { tenants?: unknown } | null)?.tenants;
  if (!Array.isArray(tenants)) throw new OperatorError('The file has no list "tenants".');
  const entries: Entry[] = [];
  const rejections: InvalidEntry[] = [];
  const add = (kind: EntityKind, path: string, tenant: string, value: unknown) => {
    const errors = findErrors[kind](value, path);
    if (errors.length > 0) rejections.push({ kind, path, tenant, value, errors });
    else entries.push({ kind, path, tenant, value } as Entry);
  };
  for (const [position, value] of tenants.entries()) {
    const path = `tenants[${position}]`;
    const tenant = String(value?.tenant);
    add('tenant', path, tenant, value);
    for (const [list, kind] of Object.entries(LISTS)) {
      const values: unknown = value?.[list];
      if (!Array.isArray(values)) continue;
      for (const [index, item] of values.entries()) add(kind, `${path}.${list}[${index}]`, tenant, item);
    }
  }
  return { entries, rejections };
}
