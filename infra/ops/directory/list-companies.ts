import { listOf } from '../../../lib/admin/directory/list-of.ts';
import { companyValue } from '../../../lib/admin/export/file-values.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';

/** `list-companies`: the companies of a tenant. */
export const listCompaniesCommand = defineCommand('list-companies', {
  summary: 'List the companies of a tenant, and since when a company is suspended by suspend-company.',
  example: 'list-companies demo.example --local',
})
  .argument('<tenant>', 'the tenant')
  .action((tenant, options) =>
    runCommand(options, async ({ installation, output }) => {
      const pages = await listOf(installation, 'company', tenant, undefined);
      await output.list({ tenant }, 'companies', pages, {
        header: ['company', 'name', 'status', 'stopped at'],
        toRow: ({ company_id: id, name, status, stopped_at: since = '-' }) => [id, name, status, since],
        toDocument: (record) => ({ ...companyValue(record), stopped_at: record.stopped_at ?? null }),
      });
      return EXIT.done;
    }),
  );
