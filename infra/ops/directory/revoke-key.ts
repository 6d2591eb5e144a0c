import { keyNamed, revokeKey } from '../../../lib/admin/access/revoke-key.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, runCommand, yesOption } from '../command.ts';
import { printResult } from './print-result.ts';

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
    runCommand(options, async ({ installation, output, confirm }) => {
      const keyName = { tenant, key, company, name };
      await confirm(async () => {
        const found = await keyNamed(installation, keyName);
        if (found.revokedAt !== null) return null;
        const named = `API key "${found.name}" (…${found.last4}) of company ${found.companyId} of ${tenant}`;
        return `Revoke the ${named}? Every program that uses it is refused at once, and nothing undoes this.`;
      });
      const result = await revokeKey(installation, keyName, systemClock);
      return printResult(output, result, 'It is revoked already.');
    }),
  );
