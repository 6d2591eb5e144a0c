import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = new URL('../../../', import.meta.url);
const folder = new URL('.github/workflows/', root);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const text = read('deliver.yml');
const { permissions, jobs } = parse(text) as Workflow;
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: object };
const commandsOf = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? [];

describe('the workflow that delivers a version', () => {
  it('tests, shows the difference with a role that only reads, deploys to dev and then to prod, each only after the one before', () => {
    const role = { contents: 'read', 'id-token': 'write' };
    expect(Object.entries(jobs).map(([name, job]) => [name, job.needs, job.environment, job.permissions])).toEqual([
      ['test', undefined, undefined, undefined],
      ['diff', 'test', 'read', role],
      ['dev', 'diff', 'dev', role],
      ['prod', 'dev', 'prod', role],
    ]);
    expect(commandsOf('test')).toContain('npm test && npm run test:long');
    expect(commandsOf('diff').filter((run) => run.startsWith('npx cdk diff'))).toHaveLength(2);
  });

  it.each(['dev', 'prod'])('tries what it has deployed to %s with the smoke test', (job) => {
    const commands = commandsOf(job);
    const deploy = commands.findIndex((run) => run.includes('cdk deploy -c stage="$GITHUB_JOB"'));
    const smoke = commands.findIndex((run) => run.includes('npm run smoke -- --api'));
    expect(deploy).toBeGreaterThan(0);
    expect(smoke).toBeGreaterThan(deploy);
    const { env } = jobs[job]!.steps.find(({ run }) => run?.includes('smoke'))!;
    expect(Object.keys(env ?? {})).toEqual(['PORTAL_API_KEY', 'PORTAL_PASSWORD', 'SMOKE_TENANT', 'SMOKE_EMAIL']);
  });

  it('calls scripts that there are, and gives the smoke test the options that it requires', () => {
    const commands = Object.keys(jobs).flatMap(commandsOf);
    const called = commands.flatMap((run) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
    expect(called).toContain('smoke');
    for (const name of called) expect(scripts).toHaveProperty([name]);
    const program = readFileSync(new URL('lib/client/examples/smoke.ts', root), 'utf8');
    const required = /^const usage = (.*)/m.exec(program)![1]!.match(/--\w+/g)!;
    expect(required.length).toBeGreaterThan(2);
    const smoke = commands.findLast((run) => run.includes('npm run smoke'));
    for (const option of required) expect(smoke).toContain(option);
  });

  it('gives each stage its own options, also where they are empty', () => {
    const options = ['dev', 'prod'].map((job) => jobs[job]?.env?.['OPTIONS']);
    expect(options).toEqual(['${{ vars.DEV_OPTIONS }}', '${{ vars.PROD_OPTIONS }}']);
    expect(text).not.toMatch(/&&.*\|\|/);
    expect(commandsOf('prod').filter((run) => run.includes('cdk deploy'))[0]).toContain(' $OPTIONS');
  });

  it('runs the Node of setup-node alone, nothing of the packages before it has begun, and actions by their commits', () => {
    const install = 'npm ci --ignore-scripts && rm node_modules/.bin/node && npm run generate';
    for (const job of Object.keys(jobs)) {
      const installing = commandsOf(job).filter((run) => run.includes('npm ci'));
      expect(installing).not.toEqual([]);
      expect(installing.filter((run) => !run.startsWith(install))).toEqual([]);
    }
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it.each([
    ['refs/tags/v1.0.0', 0],
    ['refs/tags/v1.0.1', 1],
    ['refs/heads/v1.0.0', 1],
  ])('started from %s, with 1.0.0 in package.json, ends its check of the tag with %i', (ref, status) => {
    const check = commandsOf('test').find((run) => run.includes('GITHUB_REF')) ?? '';
    const clone = mkdtempSync(join(tmpdir(), 'deliver-'));
    writeFileSync(join(clone, 'package.json'), '{ "version": "1.0.0" }');
    const env = { ...process.env, GITHUB_REF: ref };
    const run = spawnSync('bash', ['-e', '-c', check], { cwd: clone, env, encoding: 'utf8' });
    rmSync(clone, { recursive: true });
    expect(run.status).toBe(status);
    expect(run.stdout).toBe(status === 0 ? '' : '::error::Run it from the tag v1.0.0.\n');
  });

  it.each(['dev', 'prod'])('takes the version that %s had back when the smoke test fails, all at once', (job) => {
    const version = commandsOf(job).find((run) => run.includes('BEFORE=')) ?? '';
    const take = commandsOf(job).at(-1) ?? '';
    const bin = mkdtempSync(join(tmpdir(), 'deliver-'));
    writeFileSync(
      join(bin, 'aws'),
      '#!/bin/sh\ncase "$*" in *"--stack-name SupplierPortalInvoices-"*) echo 1.0.0; esac\n',
      {
        mode: 0o755,
      },
    );
    const file = join(bin, 'env');
    const env = { PATH: `${bin}:${process.env['PATH']}`, GITHUB_JOB: job, GITHUB_ENV: file };
    expect(spawnSync('bash', ['--norc', '-ec', version], { env, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(readFileSync(file, 'utf8')).toBe('BEFORE=1.0.0\n');
    rmSync(bin, { recursive: true });
    const taking = jobs[job]?.steps.slice(-2);
    const condition = "failure() && steps.smoke.outcome == 'failure'";
    expect(taking).toMatchObject([
      { if: condition, with: { ref: 'v${{ env.BEFORE }}' } },
      { if: condition, run: take },
    ]);
    expect(take).toMatch(/cdk deploy -c stage="\$GITHUB_JOB" \$OPTIONS -c canary=false --require-approval never\n$/);
  });

  it('has no key of an AWS account, and does nothing where it is not configured', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(text).not.toMatch(/aws-(secret-)?access-key/);
    expect(jobs['test']?.if).toBe("vars.AWS_REGION != ''");
  });
});

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const steps = Object.values((parse(read(name)) as Workflow).jobs).flatMap((job) => job.steps);

  it('puts no variable into a shell line, where it would be code, and keeps no credentials in what it checks out', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((run) => run.includes('${{'))).toEqual([]);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const { with: options } of checkouts) expect(options).toMatchObject({ 'persist-credentials': false });
  });
});

it.each(['ubuntu-24.04', 'ubuntu-24.04-arm', 'windows-2025', 'macos-15'])('the tests run on %s', (system) => {
  expect(read('ci.yml')).toMatch(new RegExp(`os: ${system},`));
});

it('a release is days old before it is proposed', () => {
  const renovate = JSON.parse(readFileSync(new URL('../renovate.json', folder), 'utf8'));
  expect(renovate).toMatchObject({ minimumReleaseAge: '7 days', internalChecksFilter: 'strict' });
  expect(renovate.vulnerabilityAlerts).toMatchObject({ minimumReleaseAge: null });
});
