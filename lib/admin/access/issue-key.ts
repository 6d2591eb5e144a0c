import { isUsableKey } from '../../auth/access-rules.ts';
import { API_KEY_SCOPE } from '../../domain/directory.ts';
import { startOf } from '../../domain/iso-date.ts';
import { newUuid } from '../../runtime/ids.ts';
import { checkedKeyEntry } from '../apply/checked-key-entry.ts';
import { placesOf, planEntry } from '../apply/plan-entry.ts';
import { subjectOf } from '../apply/subject-of.ts';
import { changeDirectory } from '../directory/change-directory.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import type { Installation } from '../installation.ts';
import { OperatorError } from '../operator-error.ts';
import { listApiKeys } from './list-api-keys.ts';

/** The API key that is wanted; unless its dates (ISO 8601) are given, it works from today on, for a year. */
export interface WantedKey {
  readonly tenant: string;
  readonly companyId: string;
  readonly name: string;
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** Makes an API key, unless the company has one of this name that works. */
export async function issueKey(
  { records, lists }: Pick<Installation, 'records' | 'lists'>,
  { tenant, companyId, name, validFrom, validUntil }: WantedKey,
  now: Date,
): Promise<EntryResult> {
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
  return changeDirectory(records, {
    tenant,
    needs: (known) => placesOf(entry, known),
    async plan(state) {
      const others = (await listApiKeys({ records, lists }, tenant, companyId)).filter((other) => other.name === name);
      const usable = others.find((other) => isUsableKey(other, tenant, now));
      if (usable) {
        const hint = 'revoke it first, or take another name';
        throw new OperatorError(`Company ${companyId} has a key "${name}" that works (…${usable.last4}): ${hint}.`);
      }
      const plan = planEntry(entry, state, undefined);
      if ('faults' in plan) throw new OperatorError(plan.faults.join('\n'));
      return { ...plan, subject: subjectOf(entry), generatedKey: key };
    },
  });
}

function yearAfter(date: string): string {
  const moment = new Date(startOf(date));
  moment.setUTCFullYear(moment.getUTCFullYear() + 1);
  return dayOf(moment);
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
