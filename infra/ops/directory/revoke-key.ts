import { systemClock } from '../../../lib/runtime/clock.ts';
import { placesIn } from '../../../lib/admin/apply/directory-state.ts';
import { planRecords } from '../../../lib/admin/apply/plan.ts';
import { defineCommand, runCommand } from '../command.ts';
import { changeDirectory, existing } from './change-directory.ts';
import { findApiKey } from './find-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';

/** `revoke-key`: an API key never works again. */
export const revokeKeyCommand = defineCommand('revoke-key', {
  summary: 'Revoke an API key: from the next request on it works no more, and never again.',
  example: 'revoke-key demo.example a003 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<key>', 'its last 4 characters, as list-keys shows them, or the whole key')
  .option('--company <company>', 'whose key it is, if several end so')
  .option('--name <name>', 'its name, if several end so')
  .action((tenant, text, { company, name, ...options }) =>
    runCommand(options, async (session) => {
      const key = findApiKey(await listApiKeys(session, tenant, company), text, name);
      const place = placesIn(tenant).apiKey(key.hash);
      const subject = { kind: 'api_key', tenant, company_id: key.companyId, name: key.name } as const;
      const revoked = { status: 'INACTIVE', revoked_at: systemClock.now().toISOString() } as const;
      return changeDirectory(session, {
        tenant,
        needs: () => [place],
        already: 'It is revoked already.',
        async plan(state) {
          const record = existing(state, place, `such key in ${tenant}`);
          const after = record.revoked_at === undefined ? { ...record, ...revoked } : record;
          return { subject, ...planRecords(state.changeTo(place, after)) };
        },
      });
    }),
  );
