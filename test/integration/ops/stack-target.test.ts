import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { DEMO_ACCOUNT } from '../../../infra/openapi/sample-requests.ts';
import { listen, LOCAL_HOST } from '../../../infra/local/ports.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { changeRecord, readRecord, seedAccount } from '../../support/data/seed.ts';
import { KEYS, runCli, runOnTerminal } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let serverUrl: string;
const callerArn = 'arn:aws:sts::123456789012:assumed-role/operator/ana';
/** The requests to AWS in order, each with its action or path, the region of its signature, and its body. */
const requests: { action: string; region: string; body: string }[] = [];

/** Simulates the services other than DynamoDB that a command calls for a stack, in their wire formats. */
const server = createServer((request, response) => void respond(request, response));
beforeAll(async () => {
  const url = (serverUrl = `http://${LOCAL_HOST}:${await listen(server, 0)}`);
  const services = ['CLOUDFORMATION', 'LAMBDA', 'STS'];
  for (const service of services) vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, url);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', engine.endpoint);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local');
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function respond(request: IncomingMessage, response: ServerResponse) {
  const body = await text(request);
  const form = new URLSearchParams(body);
  const region = /Credential=[^/]+\/\d+\/([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const action = form.get('Action') ?? String(request.headers['x-amz-target'] ?? request.url);
  requests.push({ action, region, body });
  if (action.startsWith('DynamoDB_')) return respondAsTable(request, body, response);
  const stack = form.get('StackName') ?? 'Portal-prod';
  const isKnown = stack !== 'Other';
  response.writeHead(isKnown ? 200 : 400).end(isKnown ? buildResponse(action) : buildStackError(stack));
}

/** Responds with the engine, which has no point-in-time recovery. */
async function respondAsTable({ headers }: IncomingMessage, body: string, response: ServerResponse) {
  if (String(headers['x-amz-target']).endsWith('DescribeContinuousBackups')) {
    const PointInTimeRecoveryStatus = body.includes(engine.tables.SigningKeys) ? 'DISABLED' : 'ENABLED';
    const description = { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus } };
    return void response.end(JSON.stringify({ ContinuousBackupsDescription: description }));
  }
  const names = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
  const forwarded = names.map((name): [string, string] => [name, String(headers[name])]);
  const { status, body: stream } = await fetch(engine.endpoint, { method: 'POST', headers: forwarded, body });
  response.writeHead(status).end(Buffer.from(await new Response(stream).arrayBuffer()));
}

function buildResponse(action: string): string {
  if (action === 'GetCallerIdentity') return wrapResult(action, `<Arn>${callerArn}</Arn>`);
  // Every Lambda function has the same result.
  if (action !== 'DescribeStacks') return JSON.stringify({ outcome: 'rotated' });
  const tables = Object.entries(engine.tables).map(([name, table]) => [`${name}Table`, table]);
  const outputs = [['ApiUrl', serverUrl], ['RotationFunction', 'the-rotation'], ...tables];
  outputs.push(['Version', packageJson.version], ['DeployedStage', 'prod'], ['AlarmTopic', 'arn:topic']);
  outputs.push(['EventBus', 'the-bus']);
  const members = outputs.map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<StackName>S</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime>`;
  return wrapResult(action, `<Stacks><member>${stack}<Outputs>${members.join('')}</Outputs></member></Stacks>`);
}

function wrapResult(action: string, content: string): string {
  return `<${action}Response><${action}Result>${content}</${action}Result></${action}Response>`;
}

function buildStackError(stack: string): string {
  const message = `Stack with id ${stack} does not exist`;
  return `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`;
}

const runOnStack = (args: readonly string[], input = '') => runCli(args, { input });
const target = ['--stack', 'Portal-prod', '--region', 'us-east-1'];
const place = `account 123456789012, region us-east-1, stack Portal-prod (stage prod), identity ${callerArn}`;
const announcement = `Target: ${place}.\n`;

it('a command that writes to prod without a terminal needs --yes, prints where it writes, and uses the given region', async () => {
  const { reference, keys } = await seedAccount(engine);
  const args = ['resume-company', reference.tenant, reference.companyId, ...target];
  await runOnStack(['suspend-company', ...args.slice(1), '--yes']);
  const stderr = `${announcement}Nothing was changed: confirmation needs a terminal. To confirm in a script, pass --yes.\n`;
  expect(await runOnStack(args)).toEqual({ code: 2, stdout: '', stderr });
  expect(await readRecord(engine, keys.company)).toMatchObject({ status: 'SUSPENDED' });
  expect(await runOnStack([...args, '--yes'])).toMatchObject({ code: 0, stderr: announcement });
  expect(await readRecord(engine, keys.company)).toMatchObject({ status: 'ACTIVE' });
  const actions = requests.map(({ action, region: signedRegion }) => [action, signedRegion]);
  expect(actions).toContainEqual(['DescribeStacks', 'us-east-1']);
});

it('a dry run does not print its target and asks nothing', async () => {
  const { reference } = await seedAccount(engine);
  const args = ['resume-company', reference.tenant, reference.companyId, '--dry-run', ...target];
  expect(await runOnStack(args)).toMatchObject({ code: 0, stderr: '' });
});

it.each<[string, string, (tenant: string, company: string) => string[], string]>([
  ['set-state', 'at its start', (tenant) => [tenant, '77', 'LIQ', '--reason', 'Paid'], 'Write to this stack?'],
  ['rotate-signing-key', 'before its write', () => [], 'Write to this stack?'],
  ['suspend-company', 'with its own question', (tenant, company) => [tenant, company], 'Suspend company '],
])('%s prints account, region, stack and identity, and asks once in prod, %s', async (name, _, buildArgs, question) => {
  const { scope, reference } = await seedAccount(engine);
  await seedInvoices(engine, scope, [buildInvoice({ invoiceId: '77' })]);
  const args = [name, ...buildArgs(scope.tenant, reference.companyId)];
  const run = (keys: string) => runOnTerminal(engine.endpoint, args, keys, { target });
  const start = announcement.replace(
    '\n',
    ` AWS_ENDPOINT_URL_DYNAMODB is set: the tables are at ${engine.endpoint}.\n`,
  );
  const no = await run(`n${KEYS.enter}`);
  expect(no).toMatchObject({ code: 130, stdout: '' });
  expect(no.stderr).toMatch(/\nNothing was changed\.\n$/);
  expect(no.stderr.startsWith(start)).toBe(true);
  expect(no.stderr).toContain(question);
  const yes = await run(`y${KEYS.enter}`);
  expect([yes.code, yes.stderr.match(/\[y\/N\]/g)?.length]).toEqual([0, 1]);
});

it('a command for clerks prints its target and asks in Spanish with --language es', async () => {
  const { scope } = await seedAccount(engine);
  const file = join(await mkdtemp(join(tmpdir(), 'stack-target-')), 'review.csv');
  writeFileSync(file, 'invoice_id,supplier_id,decision,revision\n');
  const args = ['decide', file, '--tenant', scope.tenant, '--language', 'es'];
  const answers = { '[s/N]': `s${KEYS.enter}` };
  const { code, stderr } = await runOnTerminal(engine.endpoint, args, '', { target, answers });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Destino: cuenta .*, región .*¿Escribir en este stack\? \[s\/N\]/s),
  ]);
});

it('--stack rejects the published password of the demo', async () => {
  const { reference, email } = await seedAccount(engine);
  const args = ['set-password', reference.tenant, email, '--yes', ...target];
  const stderr = expect.stringContaining('is easy to guess: ');
  expect(await runOnStack(args, `${DEMO_ACCOUNT.password}\n`)).toMatchObject({ code: 2, stderr });
});

it('--stack records the identity of the credentials and the name of --by as the author of a state change', async () => {
  const { scope } = await seedAccount(engine);
  const [invoice] = await seedInvoices(engine, scope, [buildInvoice()]);
  const { tenant } = scope;
  const by = ['--by', 'Ana Pérez', '--yes', ...target];
  await runOnStack(['set-state', tenant, invoice!.invoiceId, 'LIQ', '--reason', 'Paid', ...by]);
  const { stdout } = await runOnStack(['history', tenant, invoice!.invoiceId, ...target]);
  expect(stdout).toContain(`${callerArn} (Ana Pérez)  `);
  const audit = JSON.parse((await runOnStack(['audit', tenant, '--json', ...target])).stdout) as object;
  const entry = { operator: callerArn, command: 'set-state', by: 'Ana Pérez', reason: 'Paid', items: 1, changes: [] };
  expect(audit).toMatchObject({ entries: [entry] });
});

it('--stack rotates the signing key with the function in the outputs of the stack', async () => {
  const { code, stdout } = await runOnStack(['rotate-signing-key', '--yes', '--json', ...target]);
  expect({ code, result: JSON.parse(stdout) }).toEqual({ code: 0, result: { outcome: 'rotated' } });
  expect(requests.at(-1)).toEqual({
    action: expect.stringMatching(/\/functions\/the-rotation\/invocations/),
    region: 'us-east-1',
    body: '{"rotate":true,"leaked":false}',
  });
});

it.each([
  [
    'if the stack does not exist',
    ['list-tenants'],
    'Other',
    'us-east-1',
    'The outputs of the stack Other in us-east-1 cannot be read: Stack with id Other does not exist',
  ],
  [
    'and mentions --region if no region is configured',
    ['list-tenants'],
    'Portal-prod',
    '',
    'No AWS region is configured. Pass --region R, or set AWS_REGION.',
  ],
])('--stack ends with 2 %s', async (_, command, stack, region, reason) => {
  const run = await runOnStack([...command, '--stack', stack, ...(region ? ['--region', region] : [])]);
  expect(run).toEqual({ code: 2, stdout: '', stderr: `${reason}\n` });
});

it('doctor checks a stack, and prints what to do about each problem', async () => {
  const day = 86_400_000;
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', serverUrl);
  const key = { pk: 'JWKS', sk: 'a' };
  const start = new Date(Date.now() - 40 * day).toISOString();
  await changeRecord(engine, key, { ...key, jwk: { kid: 'a' }, active_since: start });
  vi.setSystemTime(Date.now() + 60_000);
  const { code, stdout } = await runOnStack(['doctor', ...target]);
  vi.useRealTimers();
  const recovery = 'Enable it, as the stack does.';
  expect([code, ...stdout.trim().split('\n')]).toEqual([
    1,
    `ok     identity: ${callerArn} in us-east-1`,
    `ok     version: ${packageJson.version} is deployed, the commands have ${packageJson.version}`,
    'ok     options: stage prod, events, for subscribers: aws sns list-subscriptions-by-topic --topic-arn arn:topic',
    expect.stringMatching(/^wrong {2}clock: (59|60|61) s ahead of AWS\. Correct the clock\.$/),
    ...Object.keys(engine.tables).map((name) => {
      if (name === 'SigningKeys') return `wrong  table ${name}: ACTIVE, 0.0 GB, no point-in-time recovery. ${recovery}`;
      return name === 'Declarations'
        ? `wrong  table ${name}: ACTIVE, 0.0 GB, no stream. ${recovery}`
        : `ok     table ${name}: ACTIVE, 0.0 GB`;
    }),
    'wrong  signing key: 40 days old. Run rotate-signing-key.',
  ]);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', engine.endpoint);
});
