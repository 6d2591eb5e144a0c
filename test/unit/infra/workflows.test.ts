import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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
const commandsOf = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? [];

const temporary = mkdtempSync(join(tmpdir(), 'deliver-'));
afterAll(() => rmSync(temporary, { recursive: true }));
const shell = (command: string, env: object) =>
  spawnSync('bash', ['--norc', '-ec', command], { cwd: temporary, env: { ...process.env, ...env }, encoding: 'utf8' });

describe('the workflow that delivers a version', () => {
  it('tests, shows the difference with a role that only reads, deploys to dev and then to prod, each only after the one before, with the options of its stage', () => {
    const role = { contents: 'read', 'id-token': 'write' };
    const facts = Object.entries(jobs).map(([name, job]) => [name, job['needs'], job['environment'], job.permissions]);
    expect(facts).toEqual([
      ['test', undefined, undefined, undefined],
      ['diff', 'test', 'read', role],
      ['dev', 'diff', 'dev', role],
      ['prod', 'dev', 'prod', role],
    ]);
    expect(commandsOf('test')).toContain('npm test && npm run test:long');
    const options = { dev: '${{ vars.DEV_OPTIONS }}', prod: '${{ vars.PROD_OPTIONS }}' };
    for (const [job, OPTIONS] of Object.entries(options)) expect(jobs[job]).toMatchObject({ env: { OPTIONS } });
  });

  it.each(['dev', 'prod'])(
    'tries what it has deployed to %s, and takes the version before back if that fails',
    (job) => {
      const commands = commandsOf(job);
      const deploy = commands.findIndex((run) => run.includes('cdk deploy -c stage="$GITHUB_JOB" $OPTIONS'));
      const smoke = commands.findIndex((run) => run.includes('npm run smoke -- --api'));
      expect(deploy).toBeGreaterThan(0);
      expect(smoke).toBeGreaterThan(deploy);
      const program = readFileSync(new URL('lib/client/examples/smoke.ts', root), 'utf8');
      const required = /^const usage = (.*)/m.exec(program)![1]!.match(/--\w+/g)!;
      expect(required.length).toBeGreaterThan(2);
      for (const option of required) expect(commands[smoke]).toContain(option);
      const { env } = jobs[job]!.steps.find(({ run }) => run === commands[smoke])!;
      expect(Object.keys(env ?? {})).toEqual(['PORTAL_API_KEY', 'PORTAL_PASSWORD', 'SMOKE_TENANT', 'SMOKE_EMAIL']);
      const condition = "failure() && steps.smoke.outcome == 'failure'";
      const again = / -c stage="\$GITHUB_JOB" \$OPTIONS -c canary=false --require-approval never\n$/;
      expect(jobs[job]?.steps.slice(-2)).toMatchObject([
        { if: condition, with: { ref: 'v${{ env.BEFORE }}' } },
        { if: condition, run: expect.stringMatching(again) },
      ]);
      const aws = '#!/bin/sh\ncase "$*" in *"--stack-name SupplierPortalInvoices-"*) echo 1.0.0; esac\n';
      writeFileSync(join(temporary, 'aws'), aws, { mode: 0o755 });
      const environment = { PATH: `${temporary}:${process.env['PATH']}`, GITHUB_JOB: job, GITHUB_ENV: job };
      const asked = shell(
        commands.find((run) => run.includes('BEFORE='))!,
        environment,
      );
      expect(asked).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(join(temporary, job), 'utf8')).toBe('BEFORE=1.0.0\n');
    },
  );

  it('calls scripts that there are', () => {
    const commands = Object.keys(jobs).flatMap(commandsOf);
    const called = commands.flatMap((run) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
    expect(called).toContain('smoke');
    for (const name of called) expect(scripts).toHaveProperty([name]);
  });

  it('runs the Node of setup-node alone, and nothing of the packages before it has begun', () => {
    const install = 'npm ci --ignore-scripts && rm node_modules/.bin/node && npm run generate';
    for (const job of Object.keys(jobs)) {
      const installing = commandsOf(job).filter((run) => run.includes('npm ci'));
      expect(installing).not.toEqual([]);
      expect(installing.filter((run) => !run.startsWith(install))).toEqual([]);
    }
  });

  it.each([
    ['refs/tags/v1.0.0', 0],
    ['refs/tags/v1.0.1', 1],
    ['refs/heads/v1.0.0', 1],
  ])('started from %s, with 1.0.0 in package.json, ends its check of the tag with %i', (GITHUB_REF, status) => {
    writeFileSync(join(temporary, 'package.json'), '{ "version": "1.0.0" }');
    const run = shell(commandsOf('test').find((command) => command.includes('GITHUB_REF')) ?? '', { GITHUB_REF });
    expect(run.status).toBe(status);
    expect(run.stdout).toBe(status === 0 ? '' : '::error::Run it from the tag v1.0.0.\n');
  });

  it('has no key of an AWS account, and does nothing where it is not configured', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(text).not.toMatch(/aws-(secret-)?access-key/);
    expect(jobs['test']).toMatchObject({ if: "vars.AWS_REGION != ''" });
  });
});

it('checks advisories and signatures every night, and the new packages of every pull request', () => {
  const { on, jobs: nightly } = parse(read('nightly.yml')) as Workflow & { readonly on: object };
  expect(Object.keys(on)).toContain('schedule');
  expect(nightly['dependencies']).toMatchObject({ env: { npm_config_registry: 'https://registry.npmjs.org/' } });
  expect(nightly['dependencies']?.steps.flatMap(({ run }) => run ?? [])).toEqual([
    'npm ci --ignore-scripts',
    'npm audit --omit=dev --audit-level=high',
    'npm audit signatures',
  ]);
  const { dependencies } = (parse(read('ci.yml')) as Workflow).jobs;
  expect(dependencies).toMatchObject({ if: "github.event_name == 'pull_request'" });
  expect(dependencies?.steps.at(-1)?.uses).toMatch(/^actions\/dependency-review-action@/);
});

it.each(readdirSync(folder))(
  'the workflow %s runs actions by their commits, no npx that could fetch a package, puts no variable into a shell line, and keeps no credentials in what it checks out',
  (name) => {
    const steps = Object.values((parse(read(name)) as Workflow).jobs).flatMap((job) => job.steps);
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const commands = steps.flatMap(({ run }) => run ?? []);
    const programs = commands.flatMap((run) => [...run.matchAll(/npx (\S+)/g)].map(([, option]) => option));
    expect(programs.filter((option) => option !== '--no-install')).toEqual([]);
    // A variable would be code there.
    expect(commands.filter((run) => run.includes('${{'))).toEqual([]);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts) expect(checkout).toMatchObject({ with: { 'persist-credentials': false } });
  },
);
