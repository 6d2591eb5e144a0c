/**
 * The limits of the interface, and the limits that this service adds to it. Schemas, messages, documents and guides are
 * built from this table. Therefore run `npm run generate` and `npm run openapi` after a change.
 */
export const LIMITS = {
  rangeDays: 93,
  pageDefault: 25,
  pageMax: 100,
  searchLength: 120,
  batchItems: 100,
  idDigits: 20,
  /** A text, because a number could lose digits. */
  amountMax: '999999999999.99',
  taxPctMax: 100,
  notesLength: 2000,
  invoiceNumberLength: 60,
  playerIdLength: 200,
  bodyBytes: 1_048_576,
  loginBodyBytes: 16_384,
  bodyValues: 10_000,
  reads: 30,
  writes: 10,
  windowSeconds: 60,
  /** The number of failed logins that lock their source out. */
  loginFailures: 5,
  loginWindowSeconds: 30,
  loginLockoutSeconds: 60,
  accountWindowHours: 4,
  /** The number of failed logins from one source that lock an account for this source. */
  accountFailuresPerSource: 10,
  /** The number of failed logins from all sources that lock an account for all sources. */
  accountFailures: 100,
  /** The length of a period. A source that has logged in is trusted in the same period and in the next one. */
  trustedDays: 30,
  tokenSeconds: 3600,
} as const;
