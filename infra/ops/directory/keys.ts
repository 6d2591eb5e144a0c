import { InvalidArgumentError } from '@commander-js/extra-typings';
import { issueKey, keyNamed, revokeKey } from '../../../lib/admin/access/keys.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import { defineCommand, dryRunOption, runCommand, yesOption } from '../command.ts';
import { printResult } from './result-texts.ts';

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
    runCommand(options, async ({ ports, output, dryRun }) => {
      const result = await issueKey(ports, { tenant, companyId, name, validFrom, validUntil });
      return printResult(output, dryRun ? { ...result, generatedKey: undefined } : result);
    }),
  );

/** `revoke-key`: an API key never works again. */
export const revokeKeyCommand = defineCommand('revoke-key', {
  summary: 'Revoke an API key: from the next request on it works no more, and never again.',
  example: 'revoke-key demo.example a003 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<key>', 'its last 4 characters, as list-keys shows them, or the whole key')
  .option('--company <company>', 'whose key it is, if several end so')
  .option('--name <name>', 'its name, if several end so')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, key, { company, name, ...options }) =>
    runCommand(options, async ({ ports, output, confirm }) => {
      const keyName = { tenant, key, company, name };
      await confirm(async () => {
        const found = await keyNamed(ports, keyName);
        if (found.revokedAt !== null) return null;
        const named = `API key "${found.name}" (…${found.last4}) of company ${found.companyId} of ${tenant}`;
        return `Revoke the ${named}? Every program that uses it is refused at once, and nothing undoes this.`;
      });
      return printResult(output, await revokeKey(ports, keyName), 'It is revoked already.');
    }),
  );

function readDate(text: string): string {
  if (isIsoDate(text)) return text;
  throw new InvalidArgumentError('It must be an ISO 8601 date or date-time.');
}
