import { setCompanyStatus } from '../../../lib/admin/access/set-company-status.ts';
import { defineCommand, dryRunOption, runCommand } from '../command.ts';
import { printResult } from './print-result.ts';

/** `resume-company`: the users and keys of a suspended company work again. */
export const resumeCompanyCommand = defineCommand('resume-company', {
  summary: 'End the suspension of a company.',
  example: 'resume-company demo.example 102 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .addOption(dryRunOption)
  .action((tenant, companyId, options) =>
    runCommand(options, async ({ installation, output }) => {
      const result = await setCompanyStatus(installation, { tenant, companyId }, 'ACTIVE');
      return printResult(output, result, 'It is not suspended.');
    }),
  );
