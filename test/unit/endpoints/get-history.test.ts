import { expect, it } from 'vitest';
import { createGetHistoryEndpoint } from '../../../lib/endpoints/get-history.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { NO_NOTICE } from '../../../lib/domain/notice.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };

/** Builds the change that created a version of the invoice 1. */
function buildChange(version: number): RecordedChange {
  return {
    ...{ scope, invoiceId: '1', version, kind: 'notice', changedAt: `2026-09-01T10:00:0${version}.000Z` },
    ...{ changedBy: 'carol', reason: null, requestId: null, commandId: null, revision: null },
    ...{ stateChange: null, previousState: null, notice: NO_NOTICE },
  };
}

/** Reads a history whose parallel reads return this version of the invoice, and then these versions of the changes. */
async function readVersions(invoiceVersion: number, ...reads: readonly number[]) {
  let readCount = 0;
  const invoices = { get: async () => buildInvoice({ invoiceId: '1', version: invoiceVersion }) };
  const histories = {
    read: async () => Array.from({ length: reads[readCount++]! - 1 }, (_, index) => buildChange(index + 2)),
  };
  const entries = await createGetHistoryEndpoint(invoices, histories).read(scope, { id: '1' });
  return { versions: entries?.map(({ change }) => change.version), readCount };
}

it.each<[what: string, invoiceVersion: number, reads: number[], versions: number[]]>([
  ['of the same version is complete', 3, [3], [3, 2]],
  ['that is newer than the invoice ends with its version', 2, [4], [2]],
  ['that is older than the invoice is read again', 4, [2, 4], [4, 3, 2]],
  ['that is read again and newer then ends with the version of the invoice', 3, [2, 5], [3, 2]],
  ['of a new invoice is empty', 1, [1], []],
])('a history %s', async (_, invoiceVersion, reads, versions) => {
  expect(await readVersions(invoiceVersion, ...reads)).toEqual({ versions, readCount: reads.length });
});
