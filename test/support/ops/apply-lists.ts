import { applyDirectory } from '../../../infra/ops/directory/apply-directory.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { TestEngine } from '../engine/engine.ts';

/** One entry of each kind, as a file holds them. */
export const company = { company_id: '1', name: 'Company', status: 'ACTIVE' };
export const supplier = { supplier_id: '10', name: 'Supplier', company_id: '1' };
export const user = {
  user_id: '100',
  company_id: '1',
  email: 'Ana@x.example',
  username: 'ana',
  password: 'first-Secret-q7',
  supplier_id: '10',
  permissions: ['READ'],
  active: true,
  license_active: true,
};
export const apiKey = {
  company_id: '1',
  name: 'ERP',
  scope: 'SUPPLIER_PORTAL',
  status: 'ACTIVE',
  valid_from: '2026-01-01',
  valid_until: '2026-12-31',
};

/** A file's lists with these entries. */
export const lists = { companies: [company], suppliers: [supplier], users: [user], api_keys: [apiKey] };

/** What became of a file: by path an outcome or faults, in the order of the reports; and the keys that were shown. */
export interface Applied {
  readonly outcomes: Record<string, unknown>;
  readonly shownKeys: string[];
}

/** Applies a file of one tenant with these lists; tells the run to end after so many reports. */
export async function apply(
  engine: TestEngine,
  tenant: string,
  file: Record<string, unknown>,
  { dryRun = false, stopAfter = Infinity } = {},
): Promise<Applied> {
  const outcomes: Record<string, unknown> = {};
  const shownKeys: string[] = [];
  const stop = new AbortController();
  const document = { tenants: [{ tenant, ...file }] };
  await applyDirectory(createAdminPorts(engine), document, {
    dryRun,
    stop: stop.signal,
    report(settled) {
      if ('errors' in settled) outcomes[settled.path] = settled.errors;
      else outcomes[settled.path] = settled.outcome;
      if ('generated_key' in settled && settled.generated_key) shownKeys.push(settled.generated_key);
      if (Object.keys(outcomes).length === stopAfter) stop.abort();
    },
  });
  return { outcomes, shownKeys };
}

/** The outcomes of a file with the lists above when all of them are the same. */
export const allAre = (outcome: string) => ({
  'tenants[0]': outcome,
  'tenants[0].companies[0]': outcome,
  'tenants[0].suppliers[0]': outcome,
  'tenants[0].users[0]': outcome,
  'tenants[0].api_keys[0]': outcome,
});
