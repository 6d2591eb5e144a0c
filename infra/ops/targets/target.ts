import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AdminPorts } from '../tables/admin-ports.ts';

/** The service that a command operates: the service on this machine, or a deployed stack. */
export interface Target {
  readonly client: DynamoDBDocumentClient;
  /** The names of the tables in DynamoDB by their names in the stack, such as `Invoices`. */
  readonly tables: Readonly<Record<string, string>>;
  /** The outputs of the stack by name; null for a local target. */
  readonly outputs: ReadonlyMap<string, string> | null;
  /** Describes the account, region and stack, and the identity of the caller; null for a local target. */
  readonly describeTarget: (() => Promise<string>) | null;
  /** True if the stage keeps its data, as prod does. */
  readonly keepsData: boolean;
  readonly ports: AdminPorts;
  /** Returns the ARN of the credentials of the caller or, for a local target, the user of this machine. */
  readonly readIdentity: () => Promise<string>;
  /** Runs the function that rotates the signing key, and returns its result. */
  readonly rotateSigningKey: (options: { readonly leaked: boolean }) => Promise<unknown>;
}
