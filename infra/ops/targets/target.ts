import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { RepublishPorts } from '../../../lib/events/republish-events.ts';

/** What a command works on. */
export interface Target {
  readonly ports: AdminPorts;
  /** What is destroyed when the command ends. */
  readonly client: { destroy(): void };
  /**
   * Who is running the command: for a deployed stack the ARN behind the credentials, on this machine the account's
   * name.
   */
  readonly operator: () => Promise<string>;
  /** Opens the event bus and the histories; throws an OperatorError if the target has no event bus. */
  readonly openRepublishPorts: () => Promise<RepublishPorts>;
  /** Runs the function that rotates the signing key; gives what it returns. */
  readonly rotateSigningKey: (request: { readonly leaked: boolean }) => Promise<unknown>;
}
