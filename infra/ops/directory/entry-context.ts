import type { keysIn } from '../tables/directory-records.ts';
import type { DirectorySnapshot } from './change-directory.ts';

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
