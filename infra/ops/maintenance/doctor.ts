import { defineCommand, EXIT, type ExitCode, runCommand, type Session } from '../command.ts';
import { describeFailure } from '../operator-errors.ts';
import { type Finding, listChecks } from './service-checks.ts';

export const doctorCommand = defineCommand('doctor', {
  summary:
    'Check a service: identity, version, options, tables, signing key, clock, size of the largest supplier, and keys and users that expire soon.',
  example: 'doctor --local',
}).action((options) => runCommand(options, runChecks));

/** Runs the checks of a service, and prints each finding with the advice of what to do. */
async function runChecks(session: Session): Promise<ExitCode> {
  const { output } = session;
  const checks = [];
  for (const [name, check] of Object.entries(listChecks(session))) {
    const { fact, advice = '' } = await check().catch(describeFailedCheck);
    const isOk = advice === '';
    checks.push({ name, ok: isOk, fact, advice });
    output.line(isOk ? `ok     ${name}: ${fact}` : `wrong  ${name}: ${fact}. ${advice}`);
  }
  output.document({ checks });
  return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.rejected;
}

function describeFailedCheck(error: unknown): Finding {
  return { fact: 'failed', advice: describeFailure(error).join(' ') };
}
