import { setCompanyStatus } from '../../../lib/admin/access/set-company-status.ts';
import { defineCommand, runCommand } from '../command.ts';
import { printResult } from './print-result.ts';

/** `suspend-company`: none of a company's users and keys works any more. */
export const suspendCompanyCommand = defineCommand('suspend-company', {
  summary: 'Suspend a company: from the next request on none of its users and API keys works.',
  example: 'suspend-company demo.example 100 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .action((tenant, companyId, options) =>
    runCommand(options, async ({ installation, output }) => {
      const result = await setCompanyStatus(installation, { tenant, companyId }, 'SUSPENDED');
      return printResult(output, result, 'It is suspended already.');
    }),
  );
