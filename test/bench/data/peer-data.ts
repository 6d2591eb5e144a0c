import { createHash, createPublicKey } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { toPublicKey } from '../../../lib/auth/key-pairs.ts';
import { parties } from '../../support/service/tokens.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import type { Callers } from './callers.ts';

/** The name of the table of the peers. */
export const PEERS_TABLE = 'Peers';
const CHUNK = 25;

/** Writes what the peers read: the callers, and the invoices as the service has them; gives their environment. */
export async function seedPeers(
  engine: TestEngine,
  { scope, apiKey, signingKey, all }: Callers,
): Promise<Readonly<Record<string, string>>> {
  await engine.client.send(
    new CreateTableCommand({
      TableName: PEERS_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  await write(engine, [...directoryItems(scope, apiKey, all), ...(await invoiceItems(engine, scope))]);
  const key = createPublicKey({ key: { ...toPublicKey(signingKey) }, format: 'jwk' });
  return {
    PEERS_TABLE,
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

/** The supplier's invoices, rows and counters as the service has stored them, under the keys of the peers. */
async function invoiceItems(
  { client, tables }: TestEngine,
  { tenant, supplierId }: Callers['scope'],
): Promise<object[]> {
  const pages = paginateScan({ client }, { TableName: tables.Invoices, Limit: 1000 });
  const items: object[] = [];
  for await (const { Items = [] } of pages) {
    for (const item of Items as { pk: string; sk: string }[]) {
      if (!item.pk.startsWith(`${tenant}#${supplierId}`)) continue;
      const isRow = /^[DS]#/.test(item.sk);
      items.push({ ...item, pk: `${isRow ? 'ROWS' : 'INVOICES'}#${supplierId}`, sk: item.sk.replace(/^D#/, '') });
    }
  }
  return items;
}

async function write({ client }: TestEngine, items: readonly object[]): Promise<void> {
  for (let first = 0; first < items.length; first += CHUNK) {
    const requests = items.slice(first, first + CHUNK).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [PEERS_TABLE]: requests } }));
  }
}
