import { createAccountGuard } from '../access/account-guard.ts';
import { createLoginGuard } from '../access/login-guard.ts';
import { getTableName } from '../runtime/env.ts';
import { createAccountTable } from '../tables/account-table.ts';
import type { TableClient } from '../tables/dynamodb/table-client.ts';
import { createLoginGuardTable } from '../tables/login-guard-table.ts';

/** Creates the guards of passwords. Each surface has its own guard of sources, and both have the guard of accounts. */
export function createCredentialGuards(client: TableClient, surface: 'LOGIN' | 'LEGACY') {
  const sources = createLoginGuardTable(client, getTableName('RATE_COUNTERS'), surface);
  const accounts = createAccountTable(client, getTableName('DIRECTORY'), surface);
  return {
    ...createLoginGuard(sources),
    beginAccountAttempt: createAccountGuard(accounts),
  };
}
