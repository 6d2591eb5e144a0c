/**
 * The limits of the interface, and those that this service sets where the interface leaves them open. Schemas, messages,
 * documents and guides derive from this table: after a change, run `npm run generate` and `npm run openapi`.
 */
export const LIMITS = {
  rangeDays: 93,
  pageDefault: 25,
  pageMax: 100,
  searchLength: 120,
  batchItems: 100,
  idDigits: 20,
  /** As a text, because a number could lose digits. */
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
  /** Failed logins of a source that lock it out. */
  loginFailures: 5,
  loginWindowSeconds: 30,
  loginLockoutSeconds: 60,
  /** Failed logins of an account that lock it, for a source and for all. */
  accountWindowHours: 4,
  accountFailuresPerSource: 10,
  accountFailures: 100,
  /** A source that has logged in is trusted in this period and in the next one. */
  trustedDays: 30,
  tokenSeconds: 3600,
} as const;
