import { listOf } from '../../../lib/admin/directory/list-of.ts';
import { supplierValue } from '../../../lib/admin/export/file-values.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { ownToleranceText } from './own-tolerance-text.ts';

/** `list-suppliers`: the suppliers of a tenant, each with the tolerance that it has of its own. */
export const listSuppliersCommand = defineCommand('list-suppliers', {
  summary: 'List the suppliers of a tenant, each with the tolerance that it has of its own.',
  example: 'list-suppliers demo.example --company 100 --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--company <company>', 'only those of this company')
  .action((tenant, { company, ...options }) =>
    runCommand(options, async ({ installation, output }) => {
      const pages = await listOf(installation, 'supplier', tenant, company);
      await output.list({ tenant }, 'suppliers', pages, {
        header: ['supplier', 'name', 'company', 'tolerance'],
        toRow: (record) => [record.supplier_id, record.name, record.company_id, ownToleranceText(record)],
        toDocument: (record) => {
          const { tolerance = null, ...rest } = supplierValue(record);
          return { ...rest, tolerance };
        },
      });
      return EXIT.done;
    }),
  );
