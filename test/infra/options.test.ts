import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { buildFunctionEnvironment, readDeployment as readDeploymentOf } from '../../infra/config.ts';
import { type StageOptions, STAGES } from '../../infra/stages.ts';
import { everyOption, prodOptions, recoveryOptions } from '../support/stack/stack-variants.ts';

// If a deployer adds a stage or options to infra/stages.ts, no test has to change.
const stageNames = Object.keys(STAGES).join(', ');
const { domainName, certificateArn, hostedZoneId, hostedZoneName } = everyOption;
const domain = { domainName, certificateArn, hostedZoneId, hostedZoneName };

const readDeployment = (context: Record<string, unknown>, prod: StageOptions = {}) =>
  readDeploymentOf(context, { prod: { ...prodOptions, ...prod } });

const expectError = (context: Record<string, unknown>, message: string) =>
  expect(() => readDeployment(context)).toThrow(expect.objectContaining({ message }));

/** Returns the message of the error that a function throws. */
function catchMessage(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

afterEach(() => vi.unstubAllEnvs());

it.each([
  [{ stage: 'PROD' }, `is not one of ${stageNames}.`],
  [{ alarmEmail: 'operators' }, 'is not an e-mail address.'],
  [{ writeUnitsPerHour: '0' }, 'is not a whole number from 1 to 999999999.'],
  [{ canary: 'yes' }, 'is not one of false, true.'],
  [{ certificateArn: 'abc' }, 'is not the ARN of a certificate.'],
  [{ domainName: 'API.portal.example' }, 'is not a domain name in lower case.'],
  [{ hostedZoneId: 'portal' }, 'is not the id of a zone, such as Z0123456789ABC.'],
  [{ 'tables.Directory': 'my table' }, 'is not the name of a table.'],
])('the option %j is rejected with a one-line message', (option: Record<string, string>, expected) => {
  const [[name, value]] = Object.entries(option) as [[string, string]];
  expectError(name in domain ? { ...domain, ...option } : option, `${name}=${value} ${expected}`);
});

it('a custom domain needs all of its options, and a name in its zone', () => {
  expectError({ domainName }, 'A custom domain also needs certificateArn, hostedZoneId, hostedZoneName.');
  const otherZone = { ...domain, hostedZoneName: 'tal.example' };
  expectError(otherZone, 'domainName=api.portal.example is not a name in the zone tal.example.');
});

it('the replicas are in another region than the stack, and need the region of the stack', () => {
  const { replicaRegion } = recoveryOptions;
  expect(readDeployment({ stage: 'prod', replicaRegion })).toMatchObject({ replicaRegion });
  for (const region of [prodOptions.region, 'Ireland'])
    expectError(
      { stage: 'prod', replicaRegion: region },
      `replicaRegion=${region} is not another region than eu-west-1.`,
    );
  expectError({ replicaRegion }, 'The option replicaRegion also needs region.');
});

it('the option tables names existing tables, in infra/stages.ts and with -c', () => {
  const tables = { Directory: 'Directory-2', Invoices: 'Invoices-2', Declarations: 'Declarations-2' };
  expect(readDeployment({ stage: 'prod' }, { tables })).toMatchObject({ tables });
  expect(readDeployment({ stage: 'prod', 'tables.Invoices': 'Invoices-3' }, { tables })).toMatchObject({
    tables: { ...tables, Invoices: 'Invoices-3' },
  });
  expect(readDeployment({ stage: 'prod' })).toMatchObject({ tables: {} });
});

it('the option tables names Invoices and Declarations together', () => {
  for (const name of ['tables.Invoices', 'tables.Declarations'])
    expectError(
      { [name]: 'Restored' },
      'Set tables.Invoices and tables.Declarations together, so that each history is as old as its invoice.',
    );
});

it('with events, the option tables also contains the stream of the table Declarations', () => {
  const { replicaRegion: _, ...existing } = recoveryOptions;
  const { 'tables.DeclarationsStream': stream, ...names } = existing;
  expect(readDeployment({ events: 'true', ...existing })).toMatchObject({ tables: { DeclarationsStream: stream } });
  expectError(
    { events: 'true', ...names },
    'With events, tables.Declarations also needs tables.DeclarationsStream: the LatestStreamArn of the table, ' +
      'which aws dynamodb describe-table --table-name Declarations-restored prints.',
  );
  for (const options of [{ ...existing, 'tables.Declarations': 'Other' }, { 'tables.DeclarationsStream': stream }])
    expectError(
      options,
      `tables.DeclarationsStream=${stream} is not the ARN of a stream of the table tables.Declarations.`,
    );
});

it.each(['stge', 'STAGE', 'alarm-email'])('the unknown option %s is rejected with a list of the options', (name) => {
  const read = () => readDeployment({ [name]: 'prod' });
  expect(read).toThrow(`${name} is not an option. The options are stage, alarmEmail, canary, `);
  const names = Object.keys({ ...everyOption, ...recoveryOptions });
  expect(names.filter((option) => !new RegExp(` ${option}[,.](?: |$)`).test(catchMessage(read)))).toEqual([]);
});

it('STACK_NAME sets the name of the stack if it is not empty', () => {
  for (const [name, stackName] of Object.entries({ 'Portal-eu': 'Portal-eu', '': 'SupplierPortalInvoices-dev' })) {
    vi.stubEnv('STACK_NAME', name);
    expect(readDeployment({})).toMatchObject({ stackName });
  }
});

// test/infra/variants.test.ts tests the default names.
it('TOKEN_ISSUER and TOKEN_AUDIENCE replace the issuer and audience of tokens if they are not empty', () => {
  vi.stubEnv('TOKEN_ISSUER', 'issuer.example');
  vi.stubEnv('TOKEN_AUDIENCE', '');
  const expected = { TOKEN_ISSUER: 'issuer.example', TOKEN_AUDIENCE: 'supplier-portal/prod' };
  expect(buildFunctionEnvironment('prod')).toMatchObject(expected);
});

it.each([
  ['without an entry', {}],
  ['without an account', { prod: { region: 'eu-west-1' } }],
  ['without a region', { prod: { account: '123456789012' } }],
])('prod %s in infra/stages.ts is rejected, also if -c contains both', (_, stageOptions) => {
  const read = () => readDeploymentOf({ stage: 'prod', ...prodOptions }, stageOptions);
  expect(read).toThrow(/^infra\/stages\.ts must name the account and the region of the stage prod, [^\n]+$/);
});

it('the options of a stage are those of infra/stages.ts, and -c replaces them', () => {
  const prod = { waf: true, canary: false, writeUnitsPerHour: 7, domain, tags: { owner: 'ana' } };
  const expected = {
    ...prodOptions,
    ...prod,
    tags: { service: 'supplier-portal-invoices', stage: 'prod', owner: 'ana' },
  };
  expect(readDeployment({ stage: 'prod' }, prod)).toMatchObject(expected);
  const replaced = { waf: 'false', region: 'sa-east-1', domainName: 'v2.portal.example' };
  expect(readDeployment({ stage: 'prod', ...replaced }, prod)).toMatchObject({
    ...{ ...expected, waf: false, region: 'sa-east-1' },
    domain: { ...domain, domainName: 'v2.portal.example' },
  });
  expect(readDeployment({ stage: 'dev' }, prod)).toMatchObject({ account: undefined, waf: false, domain: undefined });
});

it.each([
  [{ region: 'Ireland' }, 'region=Ireland is not a region, such as eu-west-1.'],
  [{ tables: { Invoice: 'X-2' } }, 'tables.Invoice is not an option. The options are stage, '],
])('the entry %j in infra/stages.ts is rejected', (prod: object, message) => {
  expect(catchMessage(() => readDeployment({ stage: 'prod' }, prod)).slice(0, message.length)).toBe(message);
});

it('an option can be a boolean, as in cdk.json, and context values of the CDK itself are ignored', () => {
  const cdkContext = {
    ...{ 'cli-telemetry': false, 'acknowledged-issue-numbers': [34892], '@aws-cdk/core:checkSecretUsage': true },
    'availability-zones:account=123456789012:region=eu-west-1': ['eu-west-1a'],
  };
  expect(readDeployment({ stage: 'prod', waf: true, ...cdkContext })).toMatchObject({ waf: true });
});

it.each([
  [{}, false, false],
  [{ canary: 'true' }, true, true],
  [{ alarmEmail: 'a@b.example' }, false, true],
  [{ stage: 'prod' }, true, true],
  [{ stage: 'prod', canary: 'false' }, false, true],
])('with %j, canary deployments are %j and monitoring is %j', (context, canary, monitored) => {
  expect(readDeployment(context)).toMatchObject({ canary, monitored });
});

it('an invalid option ends the synthesis, which prints only the one-line message', { tags: 'long' }, async () => {
  const app = fileURLToPath(new URL('../../infra/app.ts', import.meta.url));
  const env = { ...process.env, CDK_CONTEXT_JSON: '{"stage": "PROD"}' };
  const run = promisify(execFile)(process.execPath, [app], { env });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: `stage=PROD is not one of ${stageNames}.\n` });
});
