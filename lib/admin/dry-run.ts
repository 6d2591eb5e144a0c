import type { AdminPorts } from './ports/admin-ports.ts';

/** The same ports for a dry run: what they are asked to write counts as written, and is not. */
export function dryRunPorts(ports: AdminPorts): AdminPorts {
  const { records, accountLocks, invoiceWriter, rows, counters } = ports;
  return {
    ...ports,
    records: { ...records, commit: async () => true },
    accountLocks: { ...accountLocks, clearFailures: async () => undefined },
    invoiceWriter: { ...invoiceWriter, commit: async () => ({ kind: 'committed' }) },
    rows: { ...rows, repair: async () => true },
    counters: { ...counters, correct: async () => true },
  };
}
