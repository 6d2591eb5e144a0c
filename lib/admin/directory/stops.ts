import { systemClock } from '../../runtime/clock.ts';

/** A property that stays as it is although the file says otherwise, and why. */
export interface LeftAlone {
  readonly property: string;
  readonly value: string | boolean;
  readonly reason: string;
}

const STOPS = {
  company: { property: 'status', value: 'SUSPENDED', by: 'suspend-company', end: 'resume-company ends that' },
  user: { property: 'active', value: false, by: 'deactivate-user', end: 'activate-user ends that' },
  api_key: {
    property: 'status',
    value: 'INACTIVE',
    by: 'revoke-key',
    end: 'nothing ends that; issue-key makes a new key',
  },
} as const;

/** What a record that a command stops or resumes remembers of it: the time (ISO 8601) of the first stop, or nothing. */
export function markStop(isStopped: boolean, since: string | undefined): { readonly stopped_at?: string } {
  return isStopped ? { stopped_at: since ?? systemClock.now().toISOString() } : {};
}

/** What stays stopped since a command did so at `since` (undefined: none did) although a file wants it otherwise. */
export function leftAlone(
  kind: keyof typeof STOPS,
  wanted: string | boolean,
  since: string | undefined,
): readonly LeftAlone[] {
  const { property, value, by, end } = STOPS[kind];
  if (since === undefined || wanted === value) return [];
  return [{ property, value, reason: `${by} stopped it at ${since}; ${end}` }];
}
