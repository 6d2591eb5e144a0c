import { applyDirectory } from '../../../infra/ops/directory/apply-directory.ts';
import { listEntries } from '../../../infra/ops/directory/read-entries.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { DirectoryRecords } from '../../../infra/ops/tables/directory-records.ts';
import type { TestEngine } from '../engine/engine.ts';

/** One entry of each kind in the format of the file. */
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

/** The lists of a file, with one entry each. */
export const lists = { companies: [company], suppliers: [supplier], users: [user], api_keys: [apiKey] };

/** Applies these lists to one tenant of the engine (see applyLists). */
export const applyFile = (engine: TestEngine, tenant: string, file: Record<string, unknown>) =>
  applyLists(createAdminPorts(engine).records, tenant, file);

/**
 * Applies these lists to one tenant. Returns the outcome or the errors of each path of the file, in the order of the
 * reports, the values that were kept, and the API keys that were shown.
 */
export async function applyLists(records: DirectoryRecords, tenant: string, file: Record<string, unknown>) {
  const outcomes: Record<string, unknown> = {};
  const kept: unknown[] = [];
  const shownKeys: string[] = [];
  const document = { tenants: [{ tenant, ...file }] };
  const paths = [...listEntries(document)].map(({ path }) => path);
  for await (const result of applyDirectory({ records, demoPassword: undefined }, document)) {
    if ('errors' in result) {
      const path = paths.findLast((each) => result.errors[0]?.startsWith(each)) ?? '';
      outcomes[path] = result.errors;
    } else {
      const path = paths[Object.keys(outcomes).length] ?? '';
      outcomes[path] = result.outcome;
      kept.push(...(result.left_alone ?? []).map(({ property, value }) => `${property}: ${value}`));
      if (result.generated_key) shownKeys.push(result.generated_key);
    }
  }
  return { outcomes, kept, shownKeys };
}

/** Builds the expected outcomes of `lists` if all entries have the same outcome. */
export const buildEqualOutcomes = (outcome: string) => ({
  'tenants[0]': outcome,
  'tenants[0].companies[0]': outcome,
  'tenants[0].suppliers[0]': outcome,
  'tenants[0].users[0]': outcome,
  'tenants[0].api_keys[0]': outcome,
});
