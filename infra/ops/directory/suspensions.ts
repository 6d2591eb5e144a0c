import type { DirectoryRecord, EntityKind } from '../../../lib/domain/directory-fields.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import type { Attributes } from '../../../lib/storage/items/stored-fields.ts';
import type { KeptOverride } from './change-directory.ts';

/** A suspension by a command: the field `mark` contains the time, and `property` has the fixed `value`. */
interface Suspension {
  readonly mark: 'stopped_at' | 'revoked_at';
  readonly property: 'status' | 'active';
  readonly value: string | boolean;
  readonly by: string;
  /** The command that ends the suspension, or null. */
  readonly endedBy: string | null;
}

const SUSPENSIONS: { readonly [Kind in EntityKind]?: Suspension } = {
  company: {
    mark: 'stopped_at',
    property: 'status',
    value: 'SUSPENDED',
    by: 'suspend-company',
    endedBy: 'resume-company',
  },
  user: { mark: 'stopped_at', property: 'active', value: false, by: 'deactivate-user', endedBy: 'activate-user' },
  api_key: { mark: 'revoked_at', property: 'status', value: 'INACTIVE', by: 'revoke-key', endedBy: null },
};

/** Returns the time of the first suspension of an entity, or undefined if the suspension ends. */
export function markSuspended(isSuspended: boolean, since: string | undefined): string | undefined {
  return isSuspended ? (since ?? systemClock.now().toISOString()) : undefined;
}

/** Keeps a record suspended if a command suspended it, and returns the values of the file that are ignored. */
export function keepSuspension<Kind extends EntityKind>(kind: Kind, record: DirectoryRecord<Kind>) {
  const suspension = SUSPENSIONS[kind];
  const fields = record as Attributes;
  const since = suspension && (fields[suspension.mark] as string | undefined);
  if (!suspension || since === undefined) return { record, keptOverrides: [] };
  const { property, value, by, endedBy } = suspension;
  const end = endedBy ? `to end this, run ${endedBy}` : 'this is permanent; to issue a new key, run issue-key';
  const kept: KeptOverride = { property, value, reason: `${by} was run at ${since}; ${end}` };
  return { record: { ...record, [property]: value }, keptOverrides: fields[property] === value ? [] : [kept] };
}
