import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';

/** The tenant in the scope of commands for the whole service. It is not a domain, so no tenant has this name. */
export const WHOLE_SERVICE = '*';

/** The data that a command is allowed to write. `supplierId` is undefined if the command is not for one supplier. */
export interface WriteScope {
  readonly tenant: string;
  readonly supplierId?: string | undefined;
}

/** What a call has written: the number of invoices, and the names of entries of the directory, such as `USER#300`. */
export interface WrittenItems {
  readonly invoices: number;
  readonly entries: readonly string[];
}

/** The steps before and after each call that writes. */
export interface WriteObserver {
  readonly beforeWrite: (tenant: string) => Promise<void>;
  readonly afterWrite: (tenant: string, items: WrittenItems) => void;
}

// Matches the names of commands that only read, such as BatchGetItemCommand. Any other command counts as a write.
const READ_COMMAND = /^(?:BatchGet|Describe|Get|List|Query|Scan|TransactGet)/;

const MIDDLEWARE_NAME = 'watchWrites';

/**
 * Checks every call of a client that writes, and passes it to `observer`. Throws an error if a call would write data
 * outside the scope, or if its keys cannot be read. In a dry run, `observer` is null: no call is sent, and each call
 * returns the output of a successful one.
 */
export function watchWrites(client: DynamoDBClient, scope: WriteScope, observer: WriteObserver | null): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (READ_COMMAND.test(commandName)) return next(args);
        const owners = listOwners(args.input as WriteInput);
        if (owners.length === 0) throw new Error(`${commandName} has no keys that can be checked.`);
        const tenant = requireScope(owners, scope);
        if (!observer) return { output: { $metadata: {} }, response: {} };
        await observer.beforeWrite(tenant);
        const result = await next(args);
        observer.afterWrite(tenant, countItems(owners));
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
}

/** The tenant, the supplier and the entry of the directory to which an item belongs. */
interface ItemOwner {
  /** Undefined for an API key, whose partition contains only its hash. */
  readonly tenant?: string | undefined;
  readonly supplierId?: string | undefined;
  /** True for the item of an invoice, but not for the items of its history. */
  readonly isInvoice?: boolean;
  /** The name of the entry, such as `USER#300`. Items that only refer to an entry have none. */
  readonly entry?: string | undefined;
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

// Matches the sort keys of a tenant's entries in Directory, such as `TENANT`, `USER#300` and `SUPPLIER#200`. Other sort
// keys, such as `LOGIN#ana`, refer to an entry.
const DIRECTORY_ENTRY = /^(?:TENANT|(?:COMPANY|USER|KEY)#.+|SUPPLIER#(?<supplierId>.+))$/;

/** Finds the owner of an item by its key (see lib/tables/keys.ts). Returns an unknown tenant for any other form. */
function findOwner(pk: string, sk: string): ItemOwner {
  const [first = '', second = '', third] = pk.split('#');
  // For example `APIKEY#4f1c…` (the hash), `ACCOUNT#demo.example#300` and `TENANT#demo.example`.
  if (first === 'APIKEY') return { entry: `KEY#${second}` };
  if (first === 'ACCOUNT') return { tenant: second, entry: `USER#${third}` };
  if (first === 'TENANT') {
    const entry = DIRECTORY_ENTRY.exec(sk);
    return { tenant: second, supplierId: entry?.groups?.['supplierId'], entry: entry?.[0] };
  }
  // The partition of the invoices of a supplier, such as `demo.example#200`, or of the history of an invoice.
  return { tenant: first, supplierId: second, isInvoice: third === undefined };
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
  const otherOwner = owners.find((owner) => owner.supplierId !== undefined && owner.supplierId !== supplierId);
  if (otherOwner) {
    throw new Error(`Nothing was written: a call for supplier ${supplierId} had data of ${otherOwner.supplierId}.`);
  }
  return tenant;
}

function countItems(owners: readonly ItemOwner[]): WrittenItems {
  return {
    invoices: owners.filter(({ isInvoice }) => isInvoice).length,
    entries: owners.flatMap(({ entry }) => entry ?? []),
  };
}
