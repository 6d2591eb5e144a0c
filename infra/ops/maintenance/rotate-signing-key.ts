import { defineCommand, dryRunOption, runCommand, type Session, yesOption } from '../command.ts';
import { readTenantNames } from '../directory/read-directory.ts';
import { formatCount } from '../texts/language.ts';

export const rotateSigningKeyCommand = defineCommand('rotate-signing-key', {
  summary: 'Replace the signing key. Tokens of the old key stay valid until they expire.',
  example: 'rotate-signing-key --local',
})
  .option('--leaked', 'the old key has leaked: reject its tokens within a minute')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((options) => runCommand(options, (session) => rotateKey(session, options.leaked === true, options.stack)));

async function rotateKey(session: Session, isLeaked: boolean, stack: string | undefined): Promise<void> {
  const { ports, output, rotateSigningKey, confirm } = session;
  if (isLeaked) {
    await confirm(async () => {
      const tenants = formatCount((await readTenantNames(ports)).length, 'tenant', 'tenants');
      const service = stack === undefined ? 'the service on this machine' : `the stack ${stack}`;
      return `End the sessions of every user of ${service} (${tenants})? Everyone has to log in again.`;
    });
  }
  const result = (await rotateSigningKey({ leaked: isLeaked })) as { outcome: string };
  output.line(`The signing key was ${result.outcome}.`);
  if (isLeaked) output.line('Tokens of older keys end within a minute; everyone has to log in again.');
  output.document(result);
}
