import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAccountGuard } from '../rate-limit/account-guard.ts';
import { createLoginGuard } from '../rate-limit/login-guard.ts';
import { ACCOUNT_POLICY, LOGIN_POLICY } from '../rate-limit/policies.ts';
import { systemClock } from '../runtime/clock.ts';
import { tableName } from '../runtime/env.ts';
import type { CredentialGuards } from '../services/verify-credentials.ts';
import { createAccountTable } from '../storage/access/account-table.ts';
import { createLoginGuardTable } from '../storage/access/login-guard-table.ts';

/** The guards of passwords: of sources, apart for each surface, and of accounts, which both surfaces share. */
export function credentialGuards(client: DynamoDBDocumentClient, surface: 'LOGIN' | 'LEGACY'): CredentialGuards {
  const sources = createLoginGuardTable(client, tableName('RATE_COUNTERS'), LOGIN_POLICY, surface);
  const accounts = createAccountTable(client, tableName('DIRECTORY'), ACCOUNT_POLICY);
  return {
    ...createLoginGuard(sources, systemClock),
    admitToAccount: createAccountGuard(accounts, systemClock),
  };
}
