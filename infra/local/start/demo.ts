import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { applyDirectory } from '../../ops/directory/apply.ts';
import { readTenantNames } from '../../ops/directory/read-directory.ts';
import { importInvoices } from '../../ops/import/import-invoices.ts';
import { readRecords } from '../../ops/import/read-records.ts';
import { type AdminPorts, createAdminPorts } from '../../ops/tables/admin-ports.ts';
import { DEMO_ACCOUNT } from '../../openapi/sample-requests.ts';
import { createEngineDocumentClient } from '../engine-client.ts';
import type { DemoEngine } from '../service.ts';

/** The amount of demo data. `small` omits the thousand invoices of one supplier. */
type DemoSize = 'small' | 'whole';

const FILES = [
  { tenant: 'demo.example', file: 'invoices.ndjson', format: 'ndjson', size: 'small' },
  { tenant: 'sur.example', file: 'invoices-sur.ndjson', format: 'ndjson', size: 'small' },
  // A thousand invoices of one supplier, which fill many pages of a list.
  { tenant: 'demo.example', file: 'invoices-nadia.csv', format: 'csv', size: 'whole' },
] as const;

/** Loads the demo data, unless the demo tenant already exists. Therefore the changes of a tester remain. */
export async function loadDemo({ endpoint, tables }: DemoEngine, size: DemoSize): Promise<SampleAccount> {
  const client = createEngineDocumentClient(endpoint);
  try {
    const ports = createAdminPorts({ client, tables, demoPassword: DEMO_ACCOUNT.password });
    const tenantNames = await readTenantNames(ports);
    if (!tenantNames.includes(DEMO_ACCOUNT.tenant)) await loadFiles(ports, size);
  } finally {
    client.destroy();
  }
  return DEMO_ACCOUNT;
}

async function loadFiles(ports: AdminPorts, wantedSize: DemoSize): Promise<void> {
  const directory = parse(await readFile(toUrl('directory.yaml'), 'utf8'));
  for await (const result of applyDirectory(ports, directory)) {
    if ('errors' in result) throwErrors(result.errors);
  }
  for (const { tenant, file, format, size } of FILES) {
    if (wantedSize === 'small' && size === 'whole') continue;
    const records = readRecords(createReadStream(toUrl(file)), format, { zone: '-03:00' });
    for await (const results of importInvoices(ports, records, { tenant })) {
      for (const { result } of results) if (result.errors) throwErrors(result.errors);
    }
  }
}

function toUrl(demoFile: string): URL {
  return new URL(`../demo/${demoFile}`, import.meta.url);
}

function throwErrors(errors: readonly string[]): never {
  throw new Error(`The demo data are not valid: ${errors.join('; ')}`);
}
