import { demoAccount } from '../../../infra/demo-account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AwsStandIn, startAwsStandIn } from '../../support/engine/aws-stand-in.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { runOpsProcess } from '../../support/ops/run-ops.ts';
import { readRecord, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const engine = useEngine();
let aws: AwsStandIn;

beforeAll(async () => {
  const tables = Object.entries(engine.tables).map(([name, table]) => [`${name}Table`, table]);
  aws = await startAwsStandIn({
    stack: 'Portal-prod',
    outputs: { ApiUrl: 'https://x.example', RotationFunction: 'the-rotation', ...Object.fromEntries(tables) },
    callerArn: 'arn:aws:sts::123456789012:assumed-role/operator/ana',
    functionResult: { outcome: 'rotated' },
  });
});
afterAll(async () => {
  await aws.close();
});

/** Runs a command on the stack, with credentials and nothing else configured. */
function onStack(...args: string[]) {
  return onStackWith('', ...args);
}

/** Runs it with this standard input. */
function onStackWith(input: string, ...args: string[]) {
  const env = {
    ...aws.env,
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  return runOpsProcess(args, { env, input });
}

const target = ['--stack', 'Portal-prod', '--region', 'us-east-1'];

describe('--stack', () => {
  it('works on the tables that the outputs of the stack name, in the region that is given', async () => {
    const { reference, keys } = await seedAccount(engine);
    const { code, stderr } = await onStack(
      'suspend-company',
      reference.tenant,
      reference.companyId,
      '--yes',
      ...target,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readRecord(engine, keys.company)).toMatchObject({ status: 'SUSPENDED' });
    expect(aws.requests.at(-1)).toMatchObject({ action: 'DescribeStacks', region: 'us-east-1' });
  });

  it('refuses the password of the demo, which everybody can read', async () => {
    const { reference, keys, email } = await seedAccount(engine);
    const before = await readRecord(engine, keys.account);
    const run = await onStackWith(`${demoAccount.password}\n`, 'set-password', reference.tenant, email, ...target);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('The password is easy to guess: ') });
    expect(await readRecord(engine, keys.account)).toEqual(before);
  });

  it('keeps who the credentials belong to as the one who set a state', async () => {
    const { scope } = await seedAccount(engine);
    const [invoice] = await seedInvoices(engine, scope, [anInvoice()]);
    const { tenant } = scope;
    await onStack('set-state', tenant, invoice!.invoiceId, 'LIQ', '--reason', 'Paid', ...target);
    const { stdout } = await onStack('history', tenant, invoice!.invoiceId, ...target);
    expect(stdout).toContain('arn:aws:sts::123456789012:assumed-role/operator/ana');
  });

  it('rotates the signing key through the function that the stack names', async () => {
    const { code, stdout } = await onStack('rotate-signing-key', '--json', ...target);
    expect({ code, result: JSON.parse(stdout) }).toEqual({ code: 0, result: { outcome: 'rotated' } });
    expect(aws.requests.at(-1)).toEqual({
      action: expect.stringMatching(/\/functions\/the-rotation\/invocations/),
      region: 'us-east-1',
      body: '{"rotate":true,"leaked":false}',
    });
  });

  it('without a region ends with 2, and says how to name one', async () => {
    const env = { ...aws.env, AWS_REGION: '', AWS_DEFAULT_REGION: '', AWS_CONFIG_FILE: '/dev/null' };
    expect(await runOpsProcess(['list-tenants', '--stack', 'Portal-prod'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'No AWS region is configured: say --region R, or set AWS_REGION.\n',
    });
  });

  it('that does not exist ends with 2 and writes nothing', async () => {
    const { reference, keys } = await seedAccount(engine);
    const { tenant, companyId } = reference;
    const run = await onStack('suspend-company', tenant, companyId, '--stack', 'Other', '--region', 'us-east-1');
    expect(run).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The outputs of the stack Other in us-east-1 cannot be read: Stack with id Other does not exist\n',
    });
    expect(await readRecord(engine, keys.company)).toMatchObject({ status: 'ACTIVE' });
  });
});
