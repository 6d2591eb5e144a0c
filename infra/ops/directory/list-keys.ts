import { apiKeyStatus, listApiKeys } from '../../../lib/admin/access/list-api-keys.ts';
import type { IssuedApiKey } from '../../../lib/domain/directory.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';

const HEADER = ['company', 'name', 'last 4', 'status', 'valid from', 'valid until'];

/** `list-keys`: the API keys of a tenant, of each only its last 4 characters. */
export const listKeysCommand = defineCommand('list-keys', {
  summary: 'List the API keys of a tenant; of each only the last 4 characters are known.',
  example: 'list-keys demo.example --company 100 --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--company <company>', 'only those of this company')
  .action((tenant, { company, ...options }) =>
    runCommand(options, async ({ installation, output }) => {
      const keys = await listApiKeys(installation, tenant, company);
      const now = systemClock.now();
      output.table(
        HEADER,
        keys.map((key) => toRow(key, now)),
      );
      output.document({ tenant, keys: keys.map((key) => toDocument(key, now)) });
      return EXIT.done;
    }),
  );

function toRow(key: IssuedApiKey, now: Date): string[] {
  return [key.companyId, key.name, key.last4, apiKeyStatus(key, now), key.validFrom, key.validUntil];
}

function toDocument(key: IssuedApiKey, now: Date) {
  return {
    company_id: key.companyId,
    name: key.name,
    last4: key.last4,
    status: apiKeyStatus(key, now),
    valid_from: key.validFrom,
    valid_until: key.validUntil,
    revoked_at: key.revokedAt,
  };
}
