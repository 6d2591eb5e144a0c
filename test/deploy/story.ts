import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeProtectedHeader } from 'jose';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { getStackName } from '../../infra/config.ts';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { readStack } from '../../infra/local/read-stack.ts';
import { buildSampleEvents } from '../../infra/local/sam/sam-files.ts';
import { synthesize } from '../../infra/local/synthesize.ts';
import type { StageOptions } from '../../infra/stages.ts';
import { expectSuccess } from '../support/answers/sample-answers.ts';
import { type Cloud, region } from './cloud.ts';
import type { RunScript } from './command-line.ts';
import { type DeployedStack, listTableNames, readDeployedStack } from './deployed-stack.ts';
import { step } from './step.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const account = '123456789012';
const dev = getStackName('dev');

/** Returns the command of the CDK application with these options instead of those of infra/stages.ts. */
const toApp = (options: StageOptions) => `${cdkJson.app} '${JSON.stringify(options)}'`;

/** The account of the demo data with a password that a deployed stack accepts. */
const apiKey = DEMO_ACCOUNT.apiKey.replace('7a1e', '8b2f');
const deployedAccount = { ...DEMO_ACCOUNT, password: 'remolacha-tranvia-48-oboe', apiKey };

// moto cannot execute the CLI's change sets, and forgets parameters that the CLI does not repeat.
const deployment = ['--method', 'direct', '--require-approval', 'never', '--no-previous-parameters'];

/** Deploys the stack to an empty account, uses it, updates it and removes it. Throws if a step fails. */
export async function testDeployment(cloud: Cloud, run: RunScript, folder: string): Promise<void> {
  const cdk = (...args: string[]) => run('node_modules/aws-cdk/bin/cdk', ...args);
  const deploy = (...args: string[]) => cdk('deploy', ...deployment, ...args);
  const ops = (...args: string[]) => run('infra/ops/cli.ts', ...args, '--stack', dev, '--region', region);
  const toFolder = (name: string) => join(folder, name);

  await step('cdk bootstrap', () => cdk('bootstrap', `aws://${account}/${region}`, '--output', toFolder('bootstrap')));
  await step('cdk deploy', () => deploy('--app', toApp({}), '--output', toFolder('first')));
  const deployed = await readDeployedStack(cloud, dev);
  expect(deployed.status).toBe('CREATE_COMPLETE');

  const demo = 'infra/local/demo/directory.yaml';
  await step('ops apply: a deployed stack rejects the password and the API keys of the demo data', () =>
    expect(ops('apply', demo)).rejects.toThrow(/password: [^]*key: is public/),
  );
  await step('ops apply: the demo tenants, with another password and other API keys', async () => {
    const directory = join(folder, 'directory.yaml');
    const text = (await readFile(join(root, demo), 'utf8')).replaceAll('key: 7a1e', 'key: 8b2f');
    await writeFile(directory, text.replaceAll(/password: \S+/g, `password: ${deployedAccount.password}`));
    await ops('apply', directory);
  });
  await step('ops import-invoices: the demo invoices', () =>
    ops('import-invoices', 'infra/local/demo/invoices.ndjson', '--tenant', DEMO_ACCOUNT.tenant, '--zone', '-03:00'),
  );
  const token = await step('login, with the signing key that the deployment created', () => logIn(deployed));
  for (const name of ['validate-amount', 'declare-invoice', 'legacy-dispatch.WSObtenerFactura'])
    await step(name, () => call(deployed, name, token));
  const detail = { data: { declared_amount: 1050, state_code: 'APR' } };
  const readDetail = async (stack: DeployedStack) =>
    expect(await call(stack, 'get-invoice', token)).toMatchObject(detail);
  await step('get-invoice: it returns the declaration', () => readDetail(deployed));

  const logBefore = await cloud.readLog();
  await step('cdk deploy, an update: the functions on x86_64', () =>
    deploy('--app', toApp({ architecture: 'x86_64' }), '--output', toFolder('update')),
  );
  const updated = await readDeployedStack(cloud, dev);
  expect(updated.status).toBe('UPDATE_COMPLETE');
  await step('login: the update ran the rotation, which kept the signing key', async () => {
    const log = (await cloud.readLog()).slice(logBefore.length);
    expect(log).toContain(`invoked ${updated.outputs['RotationFunction']}\n`);
    expect(decodeProtectedHeader(await logIn(updated)).kid).toBe(decodeProtectedHeader(token).kid);
  });
  await step('get-invoice: the earlier token is valid, and the declaration exists', () => readDetail(updated));

  await step('cdk destroy', () => cdk('destroy', '--app', toFolder('update'), '--force'));
  expect(await listTableNames(cloud)).toEqual([]);
}

async function logIn(deployed: DeployedStack): Promise<string> {
  const { data } = (await call(deployed, 'login', '')) as { data: { authorization: string } };
  return data.authorization;
}

/** Sends a sample event to its function, and returns the body of the response, which must be a valid success. */
async function call(deployed: DeployedStack, name: string, token: string): Promise<unknown> {
  // The events are those of the local stack, which has the same routes.
  await synthesize({ quiet: true });
  const samples = buildSampleEvents(readStack(), deployedAccount, token);
  const { functionId, event } = samples.find((sample) => sample.name === name)!;
  const result = (await deployed.invoke(functionId, event)) as APIGatewayProxyResult;
  expectSuccess(name, event, result);
  return JSON.parse(result.body);
}
