import { defineCommand, EXIT, runCommand } from '../command.ts';

/** `rotate-signing-key`: a new key signs from now on. */
export const rotateSigningKeyCommand = defineCommand('rotate-signing-key', {
  summary: 'Make a new signing key; tokens of the old one stay valid until they expire.',
  example: 'rotate-signing-key --local',
}).action((options) =>
  runCommand(options, async ({ output, rotateSigningKey }) => {
    const result = (await rotateSigningKey()) as { outcome: string };
    output.line(`The signing key was ${result.outcome}.`);
    output.document(result);
    return EXIT.done;
  }),
);
