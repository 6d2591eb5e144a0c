import { readTenantNames } from '../directory/read-directory.ts';
import { defineCommand, dryRunOption, formatCount, runCommand, yesOption } from '../command.ts';

export const rotateSigningKeyCommand = defineCommand('rotate-signing-key', {
  summary: 'Replace the signing key. Tokens of the old key stay valid until they expire.',
  example: 'rotate-signing-key --local',
})
  .option('--leaked', 'the old key has leaked: reject its tokens within a minute')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((options) =>
    runCommand(options, async ({ ports, output, rotateSigningKey, confirm }) => {
      const leaked = options.leaked === true;
      if (leaked) {
        await confirm(async () => {
          const tenants = formatCount((await readTenantNames(ports)).length, 'tenant');
          const where = options.stack === undefined ? 'the service on this machine' : `the stack ${options.stack}`;
          return `End the sessions of every user of ${where} (${tenants})? Everyone has to log in again.`;
        });
      }
      const result = (await rotateSigningKey({ leaked })) as { outcome: string };
      output.line(`The signing key was ${result.outcome}.`);
      if (leaked) output.line('Tokens of older keys end within a minute; everyone has to log in again.');
      output.document(result);
    }),
  );
