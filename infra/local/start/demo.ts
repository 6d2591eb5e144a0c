import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { applyDirectory } from '../../ops/directory/apply-directory.ts';
import { readTenantNames } from '../../ops/directory/read-directory.ts';
import { importInvoices } from '../../ops/import/import-invoices.ts';
import { readRecords } from '../../ops/import/read-records.ts';
import { type AdminPorts, createAdminPorts } from '../../ops/tables/admin-ports.ts';
import { DEMO_ACCOUNT } from '../../openapi/sample-requests.ts';
import { createEngineDocumentClient } from '../engine-client.ts';
import type { DemoEngine } from '../prepare-data.ts';

interface InvoiceFile {
  readonly tenant: string;
  readonly file: string;
  readonly format: 'ndjson' | 'csv';
}

const SMALL_FILES: readonly InvoiceFile[] = [
  { tenant: 'demo.example', file: 'invoices.ndjson', format: 'ndjson' },
  { tenant: 'sur.example', file: 'invoices-sur.ndjson', format: 'ndjson' },
];
// The thousand invoices of one supplier, which fill many pages of a list.
const LARGE_FILE: InvoiceFile = { tenant: 'demo.example', file: 'invoices-nadia.csv', format: 'csv' };

/** Returns the demo account. Loads the demo data first, unless the demo tenant exists, to keep the changes of testers. */
export async function loadDemo({ endpoint, tables }: DemoEngine, size: 'small' | 'full'): Promise<SampleAccount> {
  const client = createEngineDocumentClient(endpoint);
  try {
    const ports = createAdminPorts({ client, tables, demoPassword: DEMO_ACCOUNT.password });
    const tenantNames = await readTenantNames(ports);
    if (!tenantNames.includes(DEMO_ACCOUNT.tenant)) {
      await loadDirectory(ports);
      for (const file of SMALL_FILES) await loadInvoices(ports, file);
      if (size === 'full') await loadInvoices(ports, LARGE_FILE);
    }
  } finally {
    client.destroy();
  }
  return DEMO_ACCOUNT;
}

async function loadDirectory(ports: AdminPorts): Promise<void> {
  const directory = parse(await readFile(getFileUrl('directory.yaml'), 'utf8'));
  for await (const result of applyDirectory(ports, directory)) {
    if ('errors' in result) throw createDataError(result.errors);
  }
}

async function loadInvoices(ports: AdminPorts, { tenant, file, format }: InvoiceFile): Promise<void> {
  const records = readRecords(createReadStream(getFileUrl(file)), format, { zone: '-03:00' });
  for await (const batch of importInvoices(ports, records, { tenant })) {
    const errors = batch.flatMap(({ result }) => result.errors ?? []);
    if (errors.length > 0) throw createDataError(errors);
  }
}

function getFileUrl(demoFile: string): URL {
  return new URL(`../demo/${demoFile}`, import.meta.url);
}

function createDataError(errors: readonly string[]): Error {
  return new Error(`The demo data are invalid: ${errors.join('; ')}`);
}
