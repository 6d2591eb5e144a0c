import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: object;
  readonly with?: object;
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly steps: readonly Step[] }>>;
}

const root = new URL('../../../', import.meta.url);
const folder = new URL('.github/workflows/', root);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const text = read('deliver.yml');
const { permissions, jobs } = parse(text) as Workflow;
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: object };
const listCommands = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? [];

const temporary = mkdtempSync(join(tmpdir(), 'deliver-'));
afterAll(() => rmSync(temporary, { recursive: true }));
const runShell = (command: string, env: object) =>
  spawnSync('bash', ['--norc', '-ec', command], { cwd: temporary, env: { ...process.env, ...env }, encoding: 'utf8' });

it.each(['dev', 'prod'])(
  'the delivery tests its deployment to %s, and deploys the earlier version again if the test fails',
  (job) => {
    const commands = listCommands(job);
    const deploy = commands.findIndex((run) => run.includes('cdk deploy -c stage="$GITHUB_JOB" $OPTIONS'));
    const smoke = commands.findIndex((run) => run.includes('npm run smoke -- --api'));
    expect(deploy).toBeGreaterThan(0);
    expect(smoke).toBeGreaterThan(deploy);
    const condition = "failure() && steps.smoke.outcome == 'failure'";
    const redeploy = / -c stage="\$GITHUB_JOB" \$OPTIONS -c canary=false --require-approval never\n$/;
    expect(jobs[job]?.steps.slice(-2)).toMatchObject([
      { if: condition, with: { ref: 'v${{ env.BEFORE }}' } },
      { if: condition, run: expect.stringMatching(redeploy) },
    ]);
    const aws = '#!/bin/sh\ncase "$*" in *"--stack-name SupplierPortalInvoices-"*) echo 1.0.0; esac\n';
    writeFileSync(join(temporary, 'aws'), aws, { mode: 0o755 });
    const environment = { PATH: `${temporary}:${process.env['PATH']}`, GITHUB_JOB: job, GITHUB_ENV: job };
    const lookup = runShell(
      commands.find((run) => run.includes('BEFORE='))!,
      environment,
    );
    expect(lookup).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(temporary, job), 'utf8')).toBe('BEFORE=1.0.0\n');
  },
);

it('the delivery calls only npm scripts that exist', () => {
  const commands = Object.keys(jobs).flatMap(listCommands);
  const called = commands.flatMap((run) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
  expect(called).toContain('smoke');
  for (const name of called) expect(scripts).toHaveProperty([name]);
});

it.each([
  ['refs/tags/v1.0.0', 0],
  ['refs/tags/v1.0.1', 1],
  ['refs/heads/v1.0.0', 1],
])('the tag check of version 1.0.0, started from %s, ends with code %i', (GITHUB_REF, status) => {
  writeFileSync(join(temporary, 'package.json'), '{ "version": "1.0.0" }');
  const run = runShell(listCommands('test').find((command) => command.includes('GITHUB_REF')) ?? '', { GITHUB_REF });
  expect(run.status).toBe(status);
  expect(run.stdout).toBe(status === 0 ? '' : '::error::Run it from the tag v1.0.0.\n');
});

it('the delivery has no AWS access key, and does nothing if it is not configured', () => {
  expect(permissions).toEqual({ contents: 'read' });
  expect(text).not.toMatch(/aws-(secret-)?access-key/);
  expect(jobs['test']).toMatchObject({ if: "vars.AWS_REGION != ''" });
});

it.each(readdirSync(folder))(
  'the workflow %s pins its actions, and has no npx download, no variable in a command and no stored credentials',
  (name) => {
    const steps = Object.values((parse(read(name)) as Workflow).jobs).flatMap((job) => job.steps);
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const commands = steps.flatMap(({ run }) => run ?? []);
    const programs = commands.flatMap((run) => [...run.matchAll(/npx (\S+)/g)].map(([, option]) => option));
    expect(programs.filter((option) => option !== '--no-install')).toEqual([]);
    // The shell would execute the value of a variable as code.
    expect(commands.filter((run) => run.includes('${{'))).toEqual([]);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts) expect(checkout).toMatchObject({ with: { 'persist-credentials': false } });
  },
);
