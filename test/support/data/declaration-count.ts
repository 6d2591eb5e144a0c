import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { engineClient } from '../../../infra/local/engine-client.ts';
import type { LocalService } from '../../../infra/local/service.ts';

/** How many records of declarations a service on this machine holds. */
export async function declarationCount({ endpoint, tables }: LocalService): Promise<number> {
  const client = engineClient(endpoint);
  const { Count = 0 } = await client.send(new ScanCommand({ TableName: tables.Declarations, Select: 'COUNT' }));
  client.destroy();
  return Count;
}
