import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient, PutEventsResponse } from '@aws-sdk/client-eventbridge';
import type { ExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { findOwner, type ItemOwner } from './item-owner.ts';

/** The tenant in the scope of commands for the whole service. It is not a domain, so no tenant has this name. */
export const WHOLE_SERVICE = '*';

/** The data that a command is allowed to write. `supplierId` is undefined if the command is not for one supplier. */
export interface WriteScope {
  readonly tenant: string;
  readonly supplierId?: string | undefined;
}

/** The numbers of invoices and events that a call has written, and the names of its directory entries. */
export interface WrittenItems {
  readonly invoices: number;
  readonly events: number;
  readonly entries: readonly string[];
}

/** The steps before and after each call that writes. */
export interface WriteObserver {
  readonly beforeWrite: (tenant: string) => Promise<void>;
  readonly afterWrite: (tenant: string, items: WrittenItems) => void;
}

/** A client whose calls can be watched. */
type WatchedClient = Pick<DynamoDBClient, 'middlewareStack'> | Pick<EventBridgeClient, 'middlewareStack'>;

// Matches the names of commands that only read, such as BatchGetItemCommand. Any other command counts as a write.
const READ_COMMAND = /^(?:BatchGet|Describe|Get|List|Query|Scan|TransactGet)/;

const MIDDLEWARE_NAME = 'watchWrites';

/**
 * Checks every call of a client that writes, and passes it to `observer`. Throws an error if a call would write data
 * outside the scope, or if its keys cannot be read. In a dry run, `observer` is null: no call is sent, and each call
 * returns the output of a successful one.
 */
export function watchWrites(client: WatchedClient, scope: WriteScope, observer: WriteObserver | null): void {
  const middlewareStack = client.middlewareStack as DynamoDBClient['middlewareStack'];
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (READ_COMMAND.test(commandName)) return next(args);
        const input = args.input as WriteInput;
        const owners = listOwners(input);
        if (owners.length === 0 && !input.Entries) throw new Error(`${commandName} has no keys that can be checked.`);
        const tenant = requireScope(owners, scope);
        if (!observer) return { output: buildSuccessOutput(input), response: {} };
        await observer.beforeWrite(tenant);
        const result = await next(args);
        observer.afterWrite(tenant, countItems(owners, result.output));
        return result;
      },
    // This step precedes the retries of the SDK, so a call is checked and counted once.
    { step: 'initialize', name: MIDDLEWARE_NAME },
  );
}

/** Exempts a command from `watchWrites`. Only the operator record itself uses it. Returns the same command. */
export function exemptFromWatch(command: ExecuteStatementCommand): ExecuteStatementCommand {
  // This middleware has no effect. It replaces the middleware of the client that has the same name.
  command.middlewareStack.add((next) => next, { step: 'initialize', name: MIDDLEWARE_NAME, override: true });
  return command;
}

type ItemWrite = Readonly<Partial<Record<'Item' | 'Key', Readonly<Record<'pk' | 'sk', unknown>>>>>;

/** The inputs of the commands that the service uses to write. A ConditionCheck in a transaction only compares. */
interface WriteInput extends ItemWrite {
  readonly TransactItems?: readonly Readonly<Partial<Record<'Put' | 'Update' | 'Delete', ItemWrite>>>[];
  readonly Entries?: readonly object[];
}

/** Lists the owners of the items that a command puts, updates or deletes. */
function listOwners({ TransactItems = [], ...single }: WriteInput): ItemOwner[] {
  const writes = TransactItems.map(({ Put, Update, Delete }) => Put ?? Update ?? Delete);
  return [single, ...writes].flatMap((write) => {
    const key = write?.Item ?? write?.Key;
    return key ? [findOwner(toKeyText(key.pk), toKeyText(key.sk))] : [];
  });
}

/** Converts `{ S: 'text' }` or, in a command of the document client, `'text'` to a string. */
function toKeyText(value: unknown): string {
  return String((value as AttributeValue | undefined)?.S ?? value);
}

/** Returns the tenant of the written items. Throws an error if an item is outside the scope of the command. */
function requireScope(owners: readonly ItemOwner[], scope: WriteScope): string {
  const tenants = [...new Set(owners.flatMap((owner) => owner.tenant ?? []))];
  // The item of an API key has no tenant.
  const [tenant = scope.tenant] = tenants;
  const isOwnTenant = scope.tenant === WHOLE_SERVICE || tenant === scope.tenant;
  if (!isOwnTenant || tenants.length > 1) {
    throw new Error(`Nothing was written: a call for ${scope.tenant} had data of ${tenants.join(', ')}.`);
  }
  const { supplierId } = scope;
  if (supplierId === undefined) return tenant;
  const supplierIds = owners.flatMap((owner) => owner.supplierId ?? []);
  const otherId = supplierIds.find((id) => id !== supplierId);
  if (otherId !== undefined) {
    throw new Error(`Nothing was written: a call for supplier ${supplierId} had data of supplier ${otherId}.`);
  }
  return tenant;
}

/** Builds the output of a successful call. Only the output of PutEvents has entries. */
function buildSuccessOutput({ Entries: entries }: WriteInput) {
  return { $metadata: {}, Entries: entries?.map(() => ({ EventId: 'dry-run' })) };
}

/** Counts the items of a call, and the events that the bus has accepted. */
function countItems(owners: readonly ItemOwner[], output: object): WrittenItems {
  const { Entries: results = [] } = output as PutEventsResponse;
  return {
    invoices: owners.filter(({ isInvoice }) => isInvoice).length,
    events: results.filter(({ EventId: eventId }) => eventId !== undefined).length,
    entries: owners.flatMap(({ entry }) => entry ?? []),
  };
}
