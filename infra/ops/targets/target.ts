import type { AdminPorts } from '../tables/admin-ports.ts';
import type { PutEvents } from '../../../lib/events/publish-records.ts';

/** The service on which a command works. */
export interface Target {
  readonly ports: AdminPorts;
  /** The client that is destroyed when the command ends. */
  readonly client: { destroy(): void };
  /** Returns the identity of the caller: the ARN behind the credentials, or with --local the user of this machine. */
  readonly operator: () => Promise<string>;
  /** Opens the event bus; throws an OperatorError if the target has none. */
  readonly openEventBus: () => Promise<PutEvents>;
  /** Invokes the function that rotates the signing key, and returns its result. */
  readonly rotateSigningKey: (request: { readonly leaked: boolean }) => Promise<unknown>;
}
