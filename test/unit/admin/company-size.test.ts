import { expect, it } from 'vitest';
import { readCompanySize } from '../../../lib/admin/directory/companies.ts';
import type { DirectoryRecords } from '../../../lib/storage/directory/directory-records.ts';

it('the size of a company adds up all pages of its suppliers and users, and leaves out those of other companies', async () => {
  const pagesOf = { supplier: ['1 1 2', '1'], user: ['1', '1 2', '1', '2'], company: [], listedApiKey: [] };
  const records = {
    read: async (keys: readonly object[]) => keys.map(() => ({ company_id: '1' })),
    async *pages(kind: keyof typeof pagesOf) {
      for (const page of pagesOf[kind]) yield page.split(' ').map((company_id) => ({ company_id }));
    },
  } as unknown as DirectoryRecords;
  const size = await readCompanySize({ records }, { tenant: 't.example', companyId: '1' });
  expect(size).toMatchObject({ suppliers: 3, users: 3, apiKeys: 0 });
});
