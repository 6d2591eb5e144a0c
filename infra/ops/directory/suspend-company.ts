import { companySize } from '../../../lib/admin/access/company-size.ts';
import { setCompanyStatus } from '../../../lib/admin/access/set-company-status.ts';
import { defineCommand, dryRunOption, runCommand, yesOption } from '../command.ts';
import { counted } from '../counted.ts';
import { printResult } from './print-result.ts';

/** `suspend-company`: none of a company's users and keys works any more. */
export const suspendCompanyCommand = defineCommand('suspend-company', {
  summary: 'Suspend a company: from the next request on none of its users and API keys works.',
  example: 'suspend-company demo.example 100 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, companyId, options) =>
    runCommand(options, async ({ installation, output, confirm }) => {
      await confirm(async () => {
        const { company, suppliers, users, apiKeys } = await companySize(installation, { tenant, companyId });
        if (company.stopped_at !== undefined) return null;
        const stops = [counted(suppliers, 'supplier'), counted(users, 'user'), counted(apiKeys, 'API key')].join(', ');
        return `Suspend company ${companyId} (${company.name}) of ${tenant}? It stops at once for ${stops}.`;
      });
      const result = await setCompanyStatus(installation, { tenant, companyId }, 'SUSPENDED');
      return printResult(output, result, 'It is suspended already.');
    }),
  );
