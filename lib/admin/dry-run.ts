import type { Installation } from './installation.ts';

/** The same ports for a dry run: what they are asked to write counts as written, and is not. */
export function dryRunPorts(ports: Installation): Installation {
  const { records, accountLocks, invoiceWriter, rows, counters } = ports;
  return {
    ...ports,
    records: { ...records, commit: async () => true },
    accountLocks: { ...accountLocks, clear: async () => undefined },
    invoiceWriter: { ...invoiceWriter, commit: async () => ({ kind: 'committed' }) },
    rows: { ...rows, repair: async () => true },
    counters: { ...counters, correct: async () => true },
  };
}
