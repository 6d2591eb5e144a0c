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

// Matches the sort keys of a tenant's entries in Directory, such as `TENANT`, `USER#300` and `SUPPLIER#200`. Other sort
// keys, such as `LOGIN#ana`, refer to an entry.
const DIRECTORY_ENTRY = /^(?:TENANT|(?:COMPANY|USER|KEY)#.+|SUPPLIER#(?<supplierId>.+))$/;

/** Finds the owner of an item by its key (see lib/tables/keys.ts). Returns an unknown tenant for any other form. */
export function findOwner(pk: string, sk: string): ItemOwner {
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
