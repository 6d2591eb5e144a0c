import type { Installation } from './installation.ts';

/** The same installation for a dry run: what it is asked to write counts as written, and is not. */
export function withoutWrites(installation: Installation): Installation {
  const { records, accountLocks, invoiceWriter, rows, counters } = installation;
  return {
    ...installation,
    records: { ...records, commit: async () => true },
    accountLocks: { ...accountLocks, clear: async () => undefined },
    invoiceWriter: { ...invoiceWriter, commit: async () => ({ kind: 'committed' }) },
    rows: { ...rows, repair: async () => true },
    counters: { ...counters, correct: async () => true },
  };
}
