import { DescribeContinuousBackupsCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import packageJson from '../../../package.json' with { type: 'json' };
import { getKeyAgeDays, MAX_KEY_AGE_DAYS } from '../../../lib/access/rotate-signing-key.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, type ExitCode, runCommand, type Session } from '../command.ts';
import { describeFailure } from '../operator-errors.ts';

const MAX_CLOCK_DIFFERENCE_S = 10;
const API_TIMEOUT_MS = 10_000;
const GIGABYTE = 1024 ** 3;

/** A fact about the service. If the fact is a problem, `advice` is what to do. */
interface Finding {
  readonly fact: string;
  readonly advice?: string | undefined;
}

type Check = () => Promise<Finding>;

/** The outputs of the stack, by name. A local service has none. */
type Outputs = NonNullable<Session['outputs']>;

export const doctorCommand = defineCommand('doctor', {
  summary: 'Check a service: identity, version, options, clock, tables and signing key.',
  example: 'doctor --local',
}).action((options) => runCommand(options, runChecks));

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

/** Lists the checks of a service by name. A local service has no version, options, backups or clock of its own. */
function listChecks(session: Session): Readonly<Record<string, Check>> {
  const { outputs, tables } = session;
  const stackChecks = outputs && {
    version: async () => checkVersion(outputs),
    options: async () => describeOptions(outputs),
    clock: () => checkClock(outputs),
  };
  const tableChecks = Object.entries(tables).map(([name, table]): [string, Check] => {
    return [`table ${name}`, () => checkTable(session, name, table)];
  });
  return {
    identity: () => describeIdentity(session),
    ...stackChecks,
    ...Object.fromEntries(tableChecks),
    'signing key': () => checkSigningKey(session),
  };
}

async function describeIdentity({ readIdentity, outputs, client }: Session): Promise<Finding> {
  const identity = await readIdentity();
  return { fact: outputs ? `${identity} in ${await client.config.region()}` : identity };
}

function checkVersion(outputs: Outputs): Finding {
  const deployedVersion = outputs.get('Version');
  const ownVersion = packageJson.version;
  const advice = 'Deploy this version, or use the commands of the deployed version.';
  return {
    fact: `${deployedVersion} is deployed, the commands have ${ownVersion}`,
    advice: deployedVersion === ownVersion ? undefined : advice,
  };
}

function describeOptions(outputs: Outputs): Finding {
  const topic = outputs.get('AlarmTopic');
  const alarms = topic ? `for subscribers: aws sns list-subscriptions-by-topic --topic-arn ${topic}` : 'no alarms';
  const events = outputs.has('EventBus') ? 'events' : 'no events';
  return { fact: `stage ${outputs.get('DeployedStage')}, ${events}, ${alarms}` };
}

async function checkClock(outputs: Outputs): Promise<Finding> {
  const { headers } = await fetch(outputs.get('ApiUrl') ?? '', { signal: AbortSignal.timeout(API_TIMEOUT_MS) });
  const serverTime = headers.get('date');
  if (serverTime === null) throw new Error('The response has no date.');
  const aheadMs = systemClock.now().getTime() - Date.parse(serverTime);
  const seconds = Math.round(aheadMs / 1000);
  const isAccepted = Math.abs(seconds) <= MAX_CLOCK_DIFFERENCE_S;
  return { fact: `${seconds} s ahead of AWS`, advice: isAccepted ? undefined : 'Correct the clock.' };
}

async function checkTable({ client, outputs }: Session, name: string, TableName: string): Promise<Finding> {
  const isStreamRequired = name === 'Declarations' && outputs?.has('EventBus') === true;
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const problems: string[] = [];
  if (isStreamRequired && !Table?.StreamSpecification?.StreamEnabled) problems.push('no stream');
  if (outputs) {
    const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
    const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    if (recovery?.PointInTimeRecoveryStatus !== 'ENABLED') problems.push('no point-in-time recovery');
  }
  const gigabytes = (Table?.TableSizeBytes ?? 0) / GIGABYTE;
  const fact = [Table?.TableStatus, `${gigabytes.toFixed(1)} GB`, ...problems].join(', ');
  return { fact, advice: problems.length > 0 ? 'Enable it, as the stack does.' : undefined };
}

async function checkSigningKey({ ports }: Session): Promise<Finding> {
  const advice = 'Run rotate-signing-key.';
  const keys = await ports.publicKeys();
  if (keys.length === 0) return { fact: 'none', advice };
  const ageDays = Math.floor(getKeyAgeDays(keys, systemClock.now()));
  // The schedule replaces the key within a day.
  return { fact: `${ageDays} days old`, advice: ageDays > MAX_KEY_AGE_DAYS + 1 ? advice : undefined };
}
