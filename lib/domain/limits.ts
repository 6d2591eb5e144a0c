/**
 * The limits of the interface and of this service. Schemas, messages and the OpenAPI documents are built from this
 * table. After a change, run `npm run generate`. A test compares the tables of limits in the guides.
 */
export const LIMITS = {
  rangeDays: 93,
  pageDefault: 25,
  pageMax: 100,
  searchLength: 120,
  batchItems: 100,
  idDigits: 20,
  /** A text, because a JavaScript number can lose digits. */
  amountMax: '999999999999.99',
  taxPctMax: 100,
  notesLength: 2000,
  invoiceNumberLength: 60,
  messageLength: 500,
  paymentReferenceLength: 100,
  playerIdLength: 200,
  bodyBytes: 1_048_576,
  loginBodyBytes: 16_384,
  /** The maximum number of names and values in the JSON of a body. */
  bodyValues: 10_000,
  /** The numbers of reads and of writes that a user can request in each window of `windowSeconds`. */
  reads: 30,
  writes: 10,
  windowSeconds: 60,
  /** The number of failed logins within `loginWindowSeconds` that lock their source out. */
  loginFailures: 5,
  loginWindowSeconds: 30,
  loginLockoutSeconds: 60,
  accountWindowHours: 4,
  /** The number of failed logins from one source that lock an account for this source. */
  accountFailuresPerSource: 10,
  /** The number of failed logins from a trusted source that lock an account for this source. */
  accountFailuresPerTrustedSource: 100,
  /** The number of failed logins from all other sources that lock an account for all of these sources. */
  accountFailures: 100,
  /** Time is divided into periods of this length. A login makes its source trusted until the next period ends. */
  trustedDays: 30,
  tokenSeconds: 3600,
  /** A change becomes visible within this time after its `changedAt`: a function or a command does not write it later. */
  changeDelaySeconds: 20,
} as const;
