import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
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
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('.github/workflows/deliver.yml', root), 'utf8');
const { permissions, jobs } = parse(text) as Workflow;
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const commandsOf = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? [];

describe('the workflow that delivers a version', () => {
  it('tests, shows the difference, deploys to dev and then to prod, each only after the one before', () => {
    expect(Object.entries(jobs).map(([name, { needs }]) => [name, needs])).toEqual([
      ['test', undefined],
      ['diff', 'test'],
      ['dev', 'diff'],
      ['prod', 'dev'],
    ]);
    expect(commandsOf('test')).toContain('npm test && npm run test:long');
    expect(commandsOf('diff').filter((run) => run.startsWith('npx cdk diff'))).toHaveLength(2);
  });

  it('asks the environment prod for its approval, and lets the difference be read with a role that only reads', () => {
    const environments = Object.entries(jobs).map(([name, { environment }]) => [name, environment]);
    expect(Object.fromEntries(environments)).toEqual({ test: undefined, diff: 'read', dev: 'dev', prod: 'prod' });
  });

  it.each(['dev', 'prod'])('tries what it has deployed to %s with the smoke test', (job) => {
    const commands = commandsOf(job);
    const deploy = commands.findIndex((run) => run.includes('cdk deploy -c stage="$GITHUB_JOB"'));
    const smoke = commands.findIndex((run) => run.includes('npm run smoke -- --api'));
    expect(deploy).toBeGreaterThan(0);
    expect(smoke).toBeGreaterThan(deploy);
    const { env } = jobs[job]!.steps.find(({ run }) => run?.includes('smoke'))!;
    const names = ['PORTAL_API_KEY', 'PORTAL_PASSWORD', 'SMOKE_TENANT', 'SMOKE_EMAIL'];
    expect(Object.keys(env ?? {})).toEqual(names);
  });

  it('calls scripts that there are, and gives the smoke test the options that it requires', () => {
    const commands = Object.keys(jobs).flatMap(commandsOf);
    const called = commands.flatMap((run) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
    expect(called).toContain('smoke');
    for (const name of called) expect(scripts).toHaveProperty([name]);
    const program = readFileSync(new URL('lib/client/examples/smoke.ts', root), 'utf8');
    const required = /^const usage = (.*)/m.exec(program)![1]!.match(/--\w+/g)!;
    expect(required.length).toBeGreaterThan(2);
    for (const option of required) expect(commandsOf('prod').at(-1)).toContain(option);
  });

  it('gives each stage its own options, also where they are empty', () => {
    const options = ['dev', 'prod'].map((job) => jobs[job]?.env?.['OPTIONS']);
    expect(options).toEqual(['${{ vars.DEV_OPTIONS }}', '${{ vars.PROD_OPTIONS }}']);
    expect(text).not.toMatch(/&&.*\|\|/);
    expect(commandsOf('prod').filter((run) => run.includes('cdk deploy'))[0]).toContain(' $OPTIONS');
  });

  it('runs the Node of setup-node alone, and nothing of the packages before it has begun', () => {
    for (const job of Object.keys(jobs)) {
      const commands = commandsOf(job);
      expect(commands.filter((run) => run.includes('npm ci'))).toEqual([
        'npm ci --ignore-scripts && rm node_modules/.bin/node && npm run generate',
      ]);
    }
  });

  it('runs actions as they were read, by their commits', () => {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it.each([
    ['refs/tags/v1.0.0', 0],
    ['refs/tags/v1.0.1', 1],
    ['refs/heads/main', 1],
    ['refs/heads/v1.0.0', 1],
  ])('started from %s, with 1.0.0 in package.json, ends its check of the tag with %i', async (ref, status) => {
    const check = commandsOf('test').find((run) => run.includes('GITHUB_REF')) ?? '';
    const folder = await mkdtemp(join(tmpdir(), 'deliver-'));
    await writeFile(join(folder, 'package.json'), '{ "version": "1.0.0" }');
    const env = { ...process.env, GITHUB_REF: ref };
    const run = spawnSync('bash', ['-e', '-c', check], { cwd: folder, env, encoding: 'utf8' });
    await rm(folder, { recursive: true });
    expect(run.status).toBe(status);
    expect(run.stdout).toBe(status === 0 ? '' : '::error::Run it from the tag v1.0.0.\n');
  });

  it('has no key of an AWS account, no token where it needs none, and does nothing where it is not configured', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const tokens = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
    const role = { contents: 'read', 'id-token': 'write' };
    expect(Object.fromEntries(tokens)).toEqual({ test: undefined, diff: role, dev: role, prod: role });
    expect(text).not.toMatch(/aws-(secret-)?access-key/);
    expect(jobs['test']?.if).toBe("vars.AWS_REGION != ''");
  });
});
