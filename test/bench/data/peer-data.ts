import { createHash, createPublicKey } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { publicPartOf } from '../../../lib/auth/key-pairs.ts';
import { parties } from '../../support/service/tokens.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import type { Callers } from './callers.ts';
import { concept, dateAt, DAYS, invoiceIdAt } from './import-supplier.ts';

const TABLE = 'Peers';
const CHUNK = 25;
// A month has four items of counters, each with the days that its shard has counted.
const COUNTED_DAYS = Array.from({ length: 10 }, (_, index) => String(3 * index + 1).padStart(2, '0'));

/** Writes what the peers read: the callers, and `count` invoices as the service has them; gives their environment. */
export async function seedPeers(
  engine: TestEngine,
  { scope, apiKey, signingKey, all }: Callers,
  count: number,
): Promise<Readonly<Record<string, string>>> {
  await engine.client.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  await write(engine, [...directoryItems(scope, apiKey, all), ...invoiceItems(scope.supplierId, count)]);
  const key = createPublicKey({ key: { ...publicPartOf(signingKey) }, format: 'jwk' });
  return {
    PEERS_TABLE: TABLE,
    PUBLIC_KEY: key.export({ type: 'spki', format: 'pem' }) as string,
    TOKEN_ISSUER: parties.issuer,
    TOKEN_AUDIENCE: parties.audience,
    POWERTOOLS_SERVICE_NAME: 'peers',
    // Without Lambda there is nothing that would take traces.
    POWERTOOLS_TRACE_ENABLED: 'false',
  };
}

function directoryItems({ tenant, supplierId }: Callers['scope'], apiKey: string, all: Callers['all']): object[] {
  const companyId = all[0]?.user.companyId ?? '';
  const pk = `TENANT#${tenant}`;
  const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true };
  const valid = { valid_from: '2020-01-01T00:00:00.000Z', valid_until: '2099-12-31T23:59:59.999Z' };
  const hash = createHash('sha256').update(apiKey).digest('hex');
  return [
    { pk, sk: 'TENANT', tenant },
    { pk, sk: `COMPANY#${companyId}`, company_id: companyId, name: 'Company', status: 'ACTIVE' },
    { pk, sk: `SUPPLIER#${supplierId}`, supplier_id: supplierId, name: 'Supplier', company_id: companyId, tolerance },
    {
      pk: `APIKEY#${hash}`,
      sk: 'APIKEY',
      tenant,
      company_id: companyId,
      scope: 'SUPPLIER_PORTAL',
      status: 'ACTIVE',
      ...valid,
    },
    ...all.map(({ user: { userId } }) => ({
      pk,
      sk: `USER#${userId}`,
      user_id: userId,
      company_id: companyId,
      supplier_id: supplierId,
      email: `user-${userId}@supplier.example`,
      permissions: ['APICLI_PORTALPROVEEDOR_READ', 'APICLI_PORTALPROVEEDOR_WRITE'],
      active: true,
      license_active: true,
    })),
  ];
}

function invoiceItems(supplierId: string, count: number): object[] {
  const invoices = Array.from({ length: count }, (_, index) => invoiceAt(index, count));
  const counters = COUNTED_DAYS.map((day) => [`${day}PEN`, Math.floor(count / DAYS)]);
  return [
    ...invoices.map((row) => ({ pk: `ROWS#${supplierId}`, sk: `${row.invoice_date}#${row.invoice_id}`, ...row })),
    ...invoices.map((row) => ({
      pk: `INVOICES#${supplierId}`,
      sk: row.invoice_id,
      ...row,
      sort_date: row.invoice_date,
      search_text: `${row.service_number} ${row.account_name} ${row.invoice_id}`.toLowerCase(),
      version: 1,
      concepts: [{ ...concept, total: 1000 }],
    })),
    ...[0, 1, 2, 3].map((shard) => ({
      pk: `INVOICES#${supplierId}`,
      sk: `COUNT#2026-01#${shard}`,
      ...Object.fromEntries(counters),
    })),
  ];
}

/** What nobody has declared yet is absent, as with the service. */
function invoiceAt(index: number, count: number) {
  const date = dateAt(index, count);
  return {
    invoice_id: invoiceIdAt(index),
    invoice_date: date,
    service_id: String(500_000 + index),
    service_number: `OS-2026-${index}`,
    service_call_date: date,
    account_name: 'Seguros La Pampa',
    city: 'Santa Rosa',
    system_amount: 1000,
    state_code: 'PEN',
    attachment_url: null,
    attachment_filename: null,
  };
}

async function write({ client }: TestEngine, items: readonly object[]): Promise<void> {
  for (let first = 0; first < items.length; first += CHUNK) {
    const requests = items.slice(first, first + CHUNK).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [TABLE]: requests } }));
  }
}
