import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { applyDirectory } from '../../ops/directory/apply.ts';
import { readTenantNames } from '../../ops/directory/read-directory.ts';
import { importInvoices } from '../../ops/import/import-invoices.ts';
import { readRecords } from '../../ops/import/read-records.ts';
import { type AdminPorts, createAdminPorts } from '../../ops/tables/admin-ports.ts';
import { demoAccount } from '../../openapi/sample-requests.ts';
import { createEngineDocumentClient } from '../engine-client.ts';
import type { DemoEngine } from '../service.ts';

const invoiceFiles = [
  ['demo.example', 'invoices.ndjson', 'ndjson'],
  ['sur.example', 'invoices-sur.ndjson', 'ndjson'],
  // A thousand invoices of one supplier, for many pages.
  ['demo.example', 'invoices-nadia.csv', 'csv'],
] as const;

/** The amount of demo data: 'small' is without the thousand invoices of one supplier. */
export type DemoSize = 'small' | 'whole';

const fileUrl = (name: string) => new URL(`../demo/${name}`, import.meta.url);

/** Loads the demo data into the engine's tables, unless they already contain them: changes of a tester remain. */
export async function loadDemo({ endpoint, tables }: DemoEngine, size: DemoSize): Promise<SampleAccount> {
  const client = createEngineDocumentClient(endpoint);
  const ports = createAdminPorts({ client, tables, demoPassword: demoAccount.password });
  if (!(await readTenantNames(ports)).includes(demoAccount.tenant)) await load(ports, size);
  client.destroy();
  return demoAccount;
}

async function load(ports: AdminPorts, size: DemoSize): Promise<void> {
  const throwErrors = (errors: readonly string[]) => {
    throw new Error(`The demo data are not valid: ${errors.join('; ')}`);
  };
  const document = parse(await readFile(fileUrl('directory.yaml'), 'utf8'));
  for await (const result of applyDirectory(ports, document)) if ('errors' in result) throwErrors(result.errors);
  for (const [tenant, file, format] of size === 'small' ? invoiceFiles.slice(0, 2) : invoiceFiles) {
    const records = readRecords(createReadStream(fileUrl(file)), format, { zone: '-03:00' });
    await importInvoices(ports, records, { tenant, now: new Date(), reject: async (_, errors) => throwErrors(errors) });
  }
}
