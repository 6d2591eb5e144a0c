/** Capacity as AWS and the embedded engine charge it. */
export interface Capacity {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** A kind of request: its capacity is measured, its time assumed for a function that is warm. */
export interface RequestKind {
  /** How many a supplier makes in a month. */
  readonly perMonth: number;
  readonly capacity: Capacity;
  readonly durationMs: number;
  readonly memoryGigabytes: number;
  readonly answerBytes: number;
}

const reads = (readUnits: number): Capacity => ({ readUnits, writeUnits: 1 });

/** A supplier's month: a hundred invoices, of which half are declared one by one and half in batches of 25. */
export const requestKinds = {
  login: {
    perMonth: 22,
    capacity: { readUnits: 9, writeUnits: 1 },
    durationMs: 150,
    memoryGigabytes: 1769 / 1024,
    answerBytes: 1_000,
  },
  'list-invoices': { perMonth: 110, capacity: reads(9), durationMs: 50, memoryGigabytes: 1, answerBytes: 14_000 },
  'get-invoice': { perMonth: 100, capacity: reads(6), durationMs: 30, memoryGigabytes: 1, answerBytes: 1_500 },
  'validate-amount': { perMonth: 100, capacity: reads(6), durationMs: 30, memoryGigabytes: 1, answerBytes: 1_000 },
  'declare-invoice': {
    perMonth: 50,
    capacity: { readUnits: 6, writeUnits: 15 },
    durationMs: 60,
    memoryGigabytes: 1,
    answerBytes: 1_000,
  },
  'declare-batch': {
    perMonth: 2,
    capacity: { readUnits: 30, writeUnits: 259 },
    durationMs: 150,
    memoryGigabytes: 1,
    answerBytes: 7_000,
  },
} as const satisfies Record<string, RequestKind>;

/** The import of a supplier's invoices, 25 at a time. */
export const importOf25 = {
  perMonth: 4,
  capacity: { readUnits: 0, writeUnits: 152 },
} as const satisfies Pick<RequestKind, 'perMonth' | 'capacity'>;

/** What stays of the invoices: items, rows and declarations, after a year. */
export const storedBytesPerSupplier = 12 * 100 * 4_000;

/** What a request writes to the logs (its own line, the platform's and the gateway's), and how long they are kept. */
export const logs = { bytesPerRequest: 2_000, months: 3 };

/**
 * What costs the same whatever the traffic; the metrics: six for each of seven endpoints, and some thirty errors by
 * code.
 */
export const fixed = { metrics: 76, alarmMetrics: 42, dashboards: 1, encryptionKeys: 2, webAclRules: 4 };

/** X-Ray records the first request of a second, and one in twenty of the others; requests come in the hours of work. */
export const tracing = { shareOfOthers: 0.05, busySeconds: 22 * 8 * 3600 };
