import { InvalidArgumentError } from '@commander-js/extra-typings';
import { issueKey } from '../../../lib/admin/access/issue-key.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, runCommand } from '../command.ts';
import { printResult } from './print-result.ts';

/** `issue-key`: makes an API key, and shows it this once. */
export const issueKeyCommand = defineCommand('issue-key', {
  summary: 'Make an API key for a company; it is shown this once.',
  example: 'issue-key demo.example 100 "Second ERP" --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<company>', 'the id of the company')
  .argument('<name>', 'what to call the key')
  .option('--valid-from <date>', 'the day or instant from which it works, unless it is today', readDate)
  .option('--valid-until <date>', 'the day or instant until which it works, unless it is a year later', readDate)
  .addOption(dryRunOption)
  .action((tenant, companyId, name, { validFrom, validUntil, ...options }) =>
    runCommand(options, async ({ installation, output, dryRun }) => {
      const wanted = { tenant, companyId, name, validFrom, validUntil };
      const result = await issueKey(installation, wanted, systemClock.now());
      return printResult(output, dryRun ? { ...result, generatedKey: undefined } : result);
    }),
  );

function readDate(text: string): string {
  if (isIsoDate(text)) return text;
  throw new InvalidArgumentError('It must be an ISO 8601 date or date-time.');
}
