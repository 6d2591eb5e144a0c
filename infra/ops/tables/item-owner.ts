/** The tenant, the supplier and the entry to which an item of a table belongs. */
export interface ItemOwner {
  /** Undefined for an API key, whose partition contains only its hash. */
  readonly tenant?: string | undefined;
  readonly supplierId?: string | undefined;
  /** True for the item of an invoice, but not for the items of its history. */
  readonly isInvoice?: boolean;
  /** The name of the entry of the directory, such as `USER#300`. Items that only refer to an entry have none. */
  readonly entry?: string | undefined;
}

// The sort keys of the entries of a tenant in Directory. Others, such as `LOGIN#ana`, refer to an entry.
const DIRECTORY_ENTRY = /^(?:TENANT|(?:COMPANY|USER|KEY)#.+|SUPPLIER#(?<supplierId>.+))$/;

/**
 * Finds the owner of an item by its key (see lib/tables/keys.ts). A partition of another form returns a tenant that does
 * not exist.
 */
export function findOwner(pk: string, sk: string): ItemOwner {
  const [first = '', second = '', third] = pk.split('#');
  if (first === 'APIKEY') return { entry: `KEY#${second}` };
  if (first === 'ACCOUNT') return { tenant: second, entry: `USER#${third}` };
  if (first !== 'TENANT') return { tenant: first, supplierId: second, isInvoice: third === undefined };
  const entry = DIRECTORY_ENTRY.exec(sk);
  return { tenant: second, supplierId: entry?.groups?.['supplierId'], entry: entry?.[0] };
}
