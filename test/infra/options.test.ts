import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { readDeployment as readDeploymentOf } from '../../infra/config.ts';
import { type StageOptions, STAGES } from '../../infra/stages.ts';
import { everyOption, prodOptions, recoveryOptions } from '../support/stack/stack-variants.ts';

// If a deployer adds a stage or options to infra/stages.ts, no test has to change.
const stageNames = Object.keys(STAGES).join(', ');
const { domain } = everyOption;

const readDeployment = (context: Record<string, unknown>, prod: StageOptions = {}) =>
  readDeploymentOf(context, { prod: { ...prodOptions, ...prod } });

const expectError = (prod: StageOptions, message: string) =>
  expect(() => readDeployment({ stage: 'prod' }, prod)).toThrow(expect.objectContaining({ message }));

afterEach(() => vi.unstubAllEnvs());

it('a custom domain is in its zone', () => {
  const otherZone = { ...domain, hostedZoneName: 'tal.example' };
  expectError({ domain: otherZone }, 'domainName=api.portal.example is not a name in the zone tal.example.');
});

it('the option tables names Invoices and Declarations together', () => {
  for (const name of ['Invoices', 'Declarations'])
    expectError(
      { tables: { [name]: 'Restored' } },
      'Set tables.Invoices and tables.Declarations together, so that each history is as old as its invoice.',
    );
  expect(readDeployment({ stage: 'prod' })).toMatchObject({ tables: {} });
});

it('the option tables contains only a stream of the table Declarations', () => {
  const { tables } = recoveryOptions;
  const { DeclarationsStream: stream } = tables;
  expect(readDeployment({ stage: 'prod' }, { tables })).toMatchObject({ tables });
  for (const otherTables of [{ ...tables, Declarations: 'Other' }, { DeclarationsStream: stream }])
    expectError(
      { tables: otherTables },
      `DeclarationsStream=${stream} is not the ARN of a stream of the table tables.Declarations.`,
    );
});

it.each<[Record<string, unknown>, string]>([
  [{ stage: 'PROD' }, `-c stage must be one of ${stageNames}.`],
  [{ canary: 'yes' }, '-c canary must be true or false.'],
  [{ stge: 'prod' }, '-c sets only stage and canary. Set stge in infra/stages.ts, if it is an option.'],
  [{ waf: 'true' }, '-c sets only stage and canary. Set waf in infra/stages.ts, if it is an option.'],
])('the context %j is rejected with a one-line message', (context, message) => {
  expect(() => readDeployment(context)).toThrow(expect.objectContaining({ message }));
});

it('STACK_NAME sets the name of the stack if it is not empty', () => {
  for (const [name, stackName] of Object.entries({ 'Portal-eu': 'Portal-eu', '': 'SupplierPortalInvoices-dev' })) {
    vi.stubEnv('STACK_NAME', name);
    expect(readDeployment({})).toMatchObject({ stackName });
  }
});

it.each([
  ['without an entry', {}],
  ['without an account', { prod: { region: 'eu-west-1' } }],
  ['without a region', { prod: { account: '123456789012' } }],
])('prod %s in infra/stages.ts is rejected', (_, stageOptions) => {
  const read = () => readDeploymentOf({ stage: 'prod' }, stageOptions);
  expect(read).toThrow(/^infra\/stages\.ts must name the account and the region of the stage prod, [^\n]+$/);
});

it('the options of a stage are those of infra/stages.ts', () => {
  const prod = { waf: true, canary: false, domain, tags: { owner: 'ana' } };
  expect(readDeployment({ stage: 'prod' }, prod)).toMatchObject({
    ...prodOptions,
    ...prod,
    tags: { service: 'supplier-portal-invoices', stage: 'prod', owner: 'ana' },
  });
  const dev = readDeployment({ stage: 'dev' }, prod);
  expect(dev).toMatchObject({ waf: false, canary: false, architecture: 'arm64' });
  expect(dev).not.toHaveProperty('domain');
});

it('context values of the CDK itself are ignored', () => {
  const cdkContext = {
    ...{ 'cli-telemetry': false, 'acknowledged-issue-numbers': [34892], '@aws-cdk/core:checkSecretUsage': true },
    'availability-zones:account=123456789012:region=eu-west-1': ['eu-west-1a'],
  };
  expect(readDeployment({ stage: 'prod', ...cdkContext })).toEqual(readDeployment({ stage: 'prod' }));
});

it.each([
  ['dev', {}, false],
  ['prod', {}, true],
  ['prod', { waf: false }, false],
])('stage %s with the entry %j in infra/stages.ts has a web ACL: %s', (stage, prod: StageOptions, waf) => {
  expect(readDeployment({ stage }, prod)).toMatchObject({ waf });
});

it.each<[string, Record<string, unknown>, StageOptions, boolean, boolean]>([
  ['dev', {}, {}, false, false],
  ['dev', {}, { canary: true }, true, true],
  ['dev', {}, { alarmEmail: 'a@b.example' }, false, true],
  ['prod', {}, {}, true, true],
  ['prod', { canary: 'false' }, { canary: true }, false, true],
  ['prod', { canary: 'true' }, { canary: false }, true, true],
])(
  'in %s with -c %j and %j, canary deployments are %j and monitoring is %j',
  (stage, context, options, ...expected) => {
    const stageOptions = { [stage]: { ...prodOptions, ...options } };
    const { canary, monitored } = readDeploymentOf({ stage, ...context }, stageOptions);
    expect([canary, monitored]).toEqual(expected);
  },
);

it('an invalid option ends the synthesis, which prints only the one-line message', { tags: 'long' }, async () => {
  const app = fileURLToPath(new URL('../../infra/app.ts', import.meta.url));
  const env = { ...process.env, CDK_CONTEXT_JSON: '{"stage": "PROD"}' };
  const run = promisify(execFile)(process.execPath, [app], { env });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: `-c stage must be one of ${stageNames}.\n` });
});
