import { DescribeContinuousBackupsCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import packageJson from '../../../package.json' with { type: 'json' };
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { EXPIRY_NOTICE_DAYS } from '../../../lib/domain/policies.ts';
import { getKeyAgeDays, MAX_KEY_AGE_DAYS } from '../../../lib/access/rotate-signing-key.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, EXIT, runCommand, type Session } from '../command.ts';
import { selectExpiring } from '../directory/lists.ts';
import { findSuppliers, listRecords, readTenantNames } from '../directory/read-directory.ts';
import { describeFailure } from '../operator-errors.ts';
import { COLLECTION_WARNING_BYTES, estimateLargestCollection } from './estimate-collections.ts';

/** A fact about the service and, if it is a problem, what to do. */
type Finding = readonly [fact: string, advice?: string | false];

const MAX_CLOCK_DIFFERENCE_S = 10;
const API_TIMEOUT_MS = 10_000;

export const doctorCommand = defineCommand('doctor', {
  summary:
    'Check a service: identity, version, options, tables, signing key, clock, size of the largest supplier, and keys and users that expire soon.',
  example: 'doctor --local',
}).action((options) =>
  runCommand(options, async (session) => {
    const checks = [];
    for (const [name, check] of Object.entries(listChecks(session))) {
      const [fact, advice] = await check().catch((error): Finding => ['failed', describeFailure(error).join(' ')]);
      checks.push({ name, ok: !advice, fact, advice: advice || '' });
      session.output.line(`${advice ? 'wrong' : 'ok   '}  ${name}: ${fact}${advice ? `. ${advice}` : ''}`);
    }
    session.output.document({ checks });
    return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.rejected;
  }),
);

/** Lists the checks of a service. A local service has no version, options, backups or clock of its own. */
function listChecks(session: Session): Readonly<Record<string, () => Promise<Finding>>> {
  const { outputs, tables, operator, ports } = session;
  const tableChecks = Object.entries(tables).map(([name, table]) => [
    `table ${name}`,
    () => checkTable(session, table, outputs?.has('EventBus') === true && name === 'Declarations'),
  ]);
  const stackChecks = outputs && {
    async version(): Promise<Finding> {
      const [deployed, own] = [outputs.get('Version'), packageJson.version];
      const advice = 'Deploy this version, or use the commands of the deployed version.';
      return [`${deployed} is deployed, the commands have ${own}`, deployed !== own && advice];
    },
    async options(): Promise<Finding> {
      const topic = outputs.get('AlarmTopic');
      const alarms = topic ? `for subscribers: aws sns list-subscriptions-by-topic --topic-arn ${topic}` : 'no alarms';
      return [`stage ${outputs.get('DeployedStage')}, ${outputs.has('EventBus') ? 'events' : 'no events'}, ${alarms}`];
    },
    async clock(): Promise<Finding> {
      const { headers } = await fetch(outputs.get('ApiUrl') ?? '', { signal: AbortSignal.timeout(API_TIMEOUT_MS) });
      const seconds = Math.round((systemClock.now().getTime() - Date.parse(headers.get('date') ?? '')) / 1000);
      return [`${seconds} s ahead of AWS`, !(Math.abs(seconds) <= MAX_CLOCK_DIFFERENCE_S) && 'Correct the clock.'];
    },
  };
  return {
    identity: async () => [`${await operator()}${outputs ? ` in ${await session.client.config.region()}` : ''}`],
    ...stackChecks,
    ...Object.fromEntries(tableChecks),
    'largest supplier': () => checkLargestSupplier(session),
    async 'signing key'() {
      const keys = await ports.publicKeys();
      if (keys.length === 0) return ['none', 'Run rotate-signing-key.'];
      const ageDays = Math.floor(getKeyAgeDays(keys, systemClock.now()));
      // The schedule replaces the key within a day.
      return [`${ageDays} days old`, ageDays > MAX_KEY_AGE_DAYS + 1 && 'Run rotate-signing-key.'];
    },
    async 'keys and users'() {
      let count = 0;
      for (const tenant of await readTenantNames(ports)) {
        for (const kind of ['user', 'api_key'] as const) {
          const pages = selectExpiring(listRecords(ports, kind, tenant), EXPIRY_NOTICE_DAYS);
          count += (await collectPages(pages)).length;
        }
      }
      const advice = 'Run list-keys and list-users with --expiring 14d for each tenant.';
      return [`${count} expire within ${EXPIRY_NOTICE_DAYS} days`, count > 0 && advice];
    },
  };
}

/** Warns before the invoices of a supplier reach the limit of an item collection, about 7 million invoices. */
async function checkLargestSupplier({ client, tables, ports }: Session): Promise<Finding> {
  const listSuppliers = async () => {
    const scopes: SupplierScope[] = [];
    for (const tenant of await readTenantNames(ports)) scopes.push(...(await findSuppliers(ports, tenant)));
    return scopes;
  };
  const { totalBytes, largest } = await estimateLargestCollection(client, tables['Invoices'] ?? '', listSuppliers);
  if (!largest) return [`all suppliers together use ${formatGigabytes(totalBytes)}, and each can use 10 GB`];
  const { scope, bytes } = largest;
  const advice =
    'At 10 GB, DynamoDB rejects writes for this supplier. Plan another key of the table (infra/README.md, Replace a table).';
  const fact = `${scope.supplierId} of ${scope.tenant} uses about ${formatGigabytes(bytes)} of 10 GB`;
  return [fact, bytes >= COLLECTION_WARNING_BYTES && advice];
}

function formatGigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

async function checkTable({ client, outputs }: Session, TableName: string, needsStream: boolean): Promise<Finding> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const problems: string[] = [];
  if (needsStream && !Table?.StreamSpecification?.StreamEnabled) problems.push('no stream');
  if (outputs) {
    const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
    const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    if (recovery?.PointInTimeRecoveryStatus !== 'ENABLED') problems.push('no point-in-time recovery');
  }
  return [[Table?.TableStatus, ...problems].join(', '), problems.length > 0 && 'Enable it, as the stack does.'];
}
