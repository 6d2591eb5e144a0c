import { defineCommand, EXIT, runCommand } from '../command.ts';

/** `rotate-signing-key`: a new key signs from now on; with --leaked, no other is trusted. */
export const rotateSigningKeyCommand = defineCommand('rotate-signing-key', {
  summary: 'Make a new signing key; tokens of the old one stay valid until they expire.',
  example: 'rotate-signing-key --local',
})
  .option('--leaked', 'the old key is in wrong hands: its tokens end now, within a minute everywhere')
  .action((options) =>
    runCommand(options, async ({ output, rotateSigningKey }) => {
      const leaked = options.leaked === true;
      const result = (await rotateSigningKey({ leaked })) as { outcome: string };
      output.line(`The signing key was ${result.outcome}.`);
      if (leaked) output.line('Tokens of older keys end within a minute; everyone has to log in again.');
      output.document(result);
      return EXIT.done;
    }),
  );
