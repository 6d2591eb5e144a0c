import { createPublicKey } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { toPublicKey } from '../../../../lib/access/sign-token.ts';
import { readStack } from '../../../../infra/local/read-stack.ts';
import type { TestEngine } from '../../../support/engine/engine.ts';
import { parties } from '../../../support/service/tokens.ts';
import type { Callers } from './callers.ts';

const PEER_TABLE = 'Peer';
const CHUNK = 25;

interface Item {
  readonly pk: string;
  readonly sk: string;
}

/** Copies the directory and the invoices of the service to the table of the peer. Returns its environment. */
export async function seedPeer(
  engine: TestEngine,
  { scope, signingKey }: Callers,
): Promise<Readonly<Record<string, string>>> {
  // The table of the peer has the keys and the index of the table Invoices.
  const { input } = readStack().tables.find(({ input: { TableName } }) => TableName === engine.tables.Invoices)!;
  await engine.client.send(new CreateTableCommand({ ...input, TableName: PEER_TABLE }));
  // The peer has one partition for each tenant and one for the invoices of a supplier.
  await copyItems(engine, engine.tables.Directory, ({ pk, sk }) => ({
    pk: sk === 'TENANT' ? `TENANT#${scope.tenant}` : pk,
    sk,
  }));
  await copyItems(engine, engine.tables.Invoices, ({ sk }) => ({ pk: `INVOICES#${scope.supplierId}`, sk }));
  const key = createPublicKey({ key: { ...toPublicKey(signingKey) }, format: 'jwk' });
  return {
    PEER_TABLE,
    PUBLIC_KEY: key.export({ type: 'spki', format: 'pem' }) as string,
    TOKEN_ISSUER: parties.issuer,
    TOKEN_AUDIENCE: parties.audience,
  };
}

/** Copies all items of a table of the service under other keys. */
async function copyItems({ client }: TestEngine, TableName: string, toKey: (item: Item) => Item): Promise<void> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, Limit: 1000 })) {
    const items = (Items as Item[]).map((item) => ({ ...item, ...toKey(item) }));
    for (let first = 0; first < items.length; first += CHUNK) {
      const requests = items.slice(first, first + CHUNK).map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [PEER_TABLE]: requests } }));
    }
  }
}
