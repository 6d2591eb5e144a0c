import { readTenantNames } from '../../lib/admin/directory/lists.ts';
import { counted } from './counted.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, yesOption } from './command.ts';

/** `rotate-signing-key`: a new key signs from now on; with --leaked, no other is trusted. */
export const rotateSigningKeyCommand = defineCommand('rotate-signing-key', {
  summary: 'Make a new signing key; tokens of the old one stay valid until they expire.',
  example: 'rotate-signing-key --local',
})
  .option('--leaked', 'the old key is in wrong hands: its tokens end now, within a minute everywhere')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((options) =>
    runCommand(options, async ({ ports, output, rotateSigningKey, confirm }) => {
      const leaked = options.leaked === true;
      if (leaked) {
        await confirm(async () => {
          const tenants = counted((await readTenantNames(ports)).length, 'tenant');
          const where = options.stack === undefined ? 'the service on this machine' : `the stack ${options.stack}`;
          return `End the sessions of every user of ${where} (${tenants})? Everyone has to log in again.`;
        });
      }
      const result = (await rotateSigningKey({ leaked })) as { outcome: string };
      output.line(`The signing key was ${result.outcome}.`);
      if (leaked) output.line('Tokens of older keys end within a minute; everyone has to log in again.');
      output.document(result);
      return EXIT.done;
    }),
  );
