import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeProtectedHeader } from 'jose';
import { expect } from 'vitest';
import { getStackName } from '../../infra/config.ts';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { LOCAL_APP, synthesize } from '../../infra/local/synthesize.ts';
import { type Cloud, region } from './cloud.ts';
import type { RunScript } from './command-line.ts';
import { listTableNames, readDeployedStack } from './deployed-stack.ts';
import { deployedAccount, openSession, resumeSession, useEveryEndpoint } from './session.ts';
import { step } from './step.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const account = '123456789012';
const dev = getStackName('dev');

// moto cannot execute the CLI's change sets, and forgets parameters that the CLI does not repeat.
const deployment = ['--method', 'direct', '--require-approval', 'never', '--no-previous-parameters'];

/** Deploys the stack to an empty account, uses it, updates it and removes it. Throws if a step fails. */
export async function testDeployment(cloud: Cloud, run: RunScript, folder: string): Promise<void> {
  const cdk = (...args: string[]) => run('node_modules/aws-cdk/bin/cdk', ...args);
  const deploy = (...args: string[]) => cdk('deploy', ...deployment, ...args);
  const ops = (...args: string[]) => run('infra/ops/cli.ts', ...args, '--stack', dev, '--region', region);
  const toFolder = (name: string) => join(folder, name);

  await step('synthesize the dev stage', () => synthesize({ quiet: true }));
  await step('cdk bootstrap', () => cdk('bootstrap', `aws://${account}/${region}`, '--output', toFolder('bootstrap')));
  await step('cdk deploy', () => deploy('--app', 'cdk.out'));
  const deployed = await readDeployedStack(cloud, dev);
  expect(deployed.status).toBe('CREATE_COMPLETE');

  const demo = 'infra/local/demo/directory.yaml';
  await step('ops apply: a deployed stack rejects the password of the demo data', () =>
    expect(ops('apply', demo)).rejects.toThrow('password'),
  );
  await step('ops apply: the demo tenants, with another password', async () => {
    const directory = join(folder, 'directory.yaml');
    const text = await readFile(join(root, demo), 'utf8');
    await writeFile(directory, text.replaceAll(/password: \S+/g, `password: ${deployedAccount.password}`));
    await ops('apply', directory);
  });
  await step('ops import-invoices: the demo invoices', () =>
    ops('import-invoices', 'infra/local/demo/invoices.ndjson', '--tenant', DEMO_ACCOUNT.tenant, '--zone', '-03:00'),
  );
  const session = await step('login, with the signing key that the deployment created', () => openSession(deployed));
  await useEveryEndpoint(session);

  const invocationsBefore = cloud.functions.invoked.length;
  await step('cdk deploy, an update: the functions on x86_64', () =>
    deploy('--app', LOCAL_APP, '--output', toFolder('update'), '--context', 'architecture=x86_64'),
  );
  const updated = await readDeployedStack(cloud, dev);
  expect(updated.status).toBe('UPDATE_COMPLETE');
  await step('login: the update ran the rotation, which kept the signing key', async () => {
    expect(cloud.functions.invoked.slice(invocationsBefore)).toContain(updated.outputs['RotationFunction']);
    const { token } = await openSession(updated);
    expect(decodeProtectedHeader(token).kid).toBe(decodeProtectedHeader(session.token).kid);
  });
  await step('get-invoice: the earlier token is valid, and the declaration exists', () =>
    resumeSession(updated, session.token).call('get-invoice', { data: { declared_amount: 1050, state_code: 'APR' } }),
  );

  await step('cdk destroy', () => cdk('destroy', '--app', toFolder('update'), '--force'));
  expect(await listTableNames(cloud)).toEqual([]);
}
