import { Readable } from 'node:stream';
import { importInvoices, type ImportOptions } from '../../../infra/ops/import/import-invoices.ts';
import { readRecords } from '../../../infra/ops/import/read-records.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import type { TestEngine } from '../engine/engine.ts';

/** Imports records or lines of NDJSON, and returns their results. */
export function importLines(
  engine: Pick<TestEngine, 'client' | 'tables'>,
  tenant: string,
  records: readonly (object | string)[],
  options: Partial<ImportOptions> = {},
) {
  const lines = records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`);
  const source = readRecords(Readable.from(lines), 'ndjson');
  return collectPages(importInvoices(createAdminPorts(engine), source, { tenant, ...options }));
}
