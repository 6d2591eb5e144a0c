import { applyDirectory } from '../../../infra/ops/directory/apply.ts';
import { listEntries } from '../../../infra/ops/directory/read-entries.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
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

/**
 * Applies these lists to one tenant. In a dry run, nothing is written. Returns the outcome or the errors of each path of
 * the file, in the order of the reports, and the API keys that were shown.
 */
export async function applyFile(
  engine: TestEngine,
  tenant: string,
  file: Record<string, unknown>,
  { dryRun = false } = {},
) {
  const outcomes: Record<string, unknown> = {};
  const shownKeys: string[] = [];
  const { records } = createAdminPorts(engine);
  const repository = dryRun ? { ...records, commit: async () => true } : records;
  const document = { tenants: [{ tenant, ...file }] };
  const paths = [...listEntries(document)].map(({ path }) => path);
  for await (const result of applyDirectory({ records: repository, demoPassword: undefined }, document)) {
    if ('errors' in result) {
      const path = paths.findLast((each) => result.errors[0]?.startsWith(each)) ?? '';
      outcomes[path] = result.errors;
    } else {
      const path = paths[Object.keys(outcomes).length] ?? '';
      outcomes[path] = result.outcome;
      if (result.generated_key) shownKeys.push(result.generated_key);
    }
  }
  return { outcomes, shownKeys };
}

/** Builds the expected outcomes of `lists` if all entries have the same outcome. */
export const buildEqualOutcomes = (outcome: string) => ({
  'tenants[0]': outcome,
  'tenants[0].companies[0]': outcome,
  'tenants[0].suppliers[0]': outcome,
  'tenants[0].users[0]': outcome,
  'tenants[0].api_keys[0]': outcome,
});
