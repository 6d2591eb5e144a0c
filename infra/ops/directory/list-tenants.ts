import { tenantValue } from '../../../lib/admin/export/file-values.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { ownToleranceText } from './own-tolerance-text.ts';

/** `list-tenants`: the tenants, each with its global tolerance. */
export const listTenantsCommand = defineCommand('list-tenants', {
  summary: 'List the tenants, each with its global tolerance; this reads the whole directory.',
  example: 'list-tenants --local',
}).action((options) =>
  runCommand(options, async ({ installation, output }) => {
    await output.list({}, 'tenants', installation.records.tenants(), {
      header: ['tenant', 'tolerance'],
      toRow: (record) => [record.tenant, ownToleranceText(record)],
      toDocument: (record) => {
        const { tolerance = null, ...rest } = tenantValue(record);
        return { ...rest, tolerance };
      },
    });
    return EXIT.done;
  }),
);
