import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isUsableKey } from '../../../lib/auth/access-rules.ts';
import { API_KEY_SCOPE } from '../../../lib/domain/directory.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import { startOf } from '../../../lib/domain/moments.ts';
import { placesOf, planEntry } from '../../../lib/admin/apply/plan-entry.ts';
import { subjectOf } from '../../../lib/admin/apply/settled.ts';
import { defineCommand, runCommand } from '../command.ts';
import { UsageError } from '../../../lib/admin/usage-error.ts';
import { changeDirectory } from './change-directory.ts';
import { checkedKeyEntry } from './checked-key-entry.ts';
import { listApiKeys } from './list-api-keys.ts';

/** `issue-key`: makes an API key, and shows it this once. */
export const issueKeyCommand = defineCommand('issue-key', {
  summary: 'Make an API key for a company; it is shown this once.',
  example: 'issue-key demo.example 100 "Second ERP" --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .argument('<name>', 'what to call the key')
  .option('--valid-from <date>', 'the day or instant from which it works, unless it is today', readDate)
  .option('--valid-until <date>', 'the day or instant until which it works, unless it is a year later', readDate)
  .action((tenant, companyId, name, { validFrom, validUntil, ...options }) =>
    runCommand(options, async (session) => {
      const now = systemClock.now();
      const from = validFrom ?? dayOf(now);
      const key = newUuid();
      const entry = checkedKeyEntry(tenant, {
        key,
        company_id: companyId,
        name,
        scope: API_KEY_SCOPE,
        status: 'ACTIVE',
        valid_from: from,
        valid_until: validUntil ?? yearAfter(from),
      });
      return changeDirectory(session, {
        tenant,
        needs: (known) => placesOf(entry, known),
        async plan(state) {
          const others = (await listApiKeys(session, tenant, companyId)).filter((other) => other.name === name);
          const usable = others.find((other) => isUsableKey(other, tenant, now));
          if (usable) {
            const hint = 'revoke it first, or take another name';
            throw new UsageError(`Company ${companyId} has a key "${name}" that works (…${usable.last4}): ${hint}.`);
          }
          const plan = planEntry(entry, state, undefined);
          if ('faults' in plan) throw new UsageError(plan.faults.join('\n'));
          return { ...plan, subject: subjectOf(entry), generatedKey: key };
        },
      });
    }),
  );

function readDate(text: string): string {
  if (isIsoDate(text)) return text;
  throw new InvalidArgumentError('It must be an ISO 8601 date or date-time.');
}

function yearAfter(date: string): string {
  const moment = new Date(startOf(date));
  moment.setUTCFullYear(moment.getUTCFullYear() + 1);
  return dayOf(moment);
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
