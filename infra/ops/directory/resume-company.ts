import { defineCommand, runCommand } from '../command.ts';
import { setCompanyStatus } from './set-company-status.ts';

/** `resume-company`: the users and keys of a suspended company work again. */
export const resumeCompanyCommand = defineCommand('resume-company', {
  summary: 'End the suspension of a company.',
  example: 'resume-company demo.example 102 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .action((tenant, companyId, options) =>
    runCommand(options, (session) => setCompanyStatus(session, tenant, companyId, 'ACTIVE')),
  );
