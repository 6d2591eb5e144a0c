import { readFileSync } from 'node:fs';
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
    expect(commandsOf('test')).toContain('npm test');
    expect(commandsOf('diff').filter((run) => run.startsWith('npx cdk diff'))).toHaveLength(2);
  });

  it('asks the environment prod for its approval, and lets the difference be read with a role that only reads', () => {
    const environments = Object.entries(jobs).map(([name, { environment }]) => [name, environment]);
    expect(Object.fromEntries(environments)).toEqual({ test: undefined, diff: 'read', dev: 'dev', prod: 'prod' });
  });

  it.each(['dev', 'prod'])('tries what it has deployed to %s with the smoke test', (job) => {
    const commands = commandsOf(job);
    const deploy = commands.findIndex((run) => run.includes('cdk deploy -c stage=${{ github.job }}'));
    const smoke = commands.findIndex((run) => run.includes('npm run smoke -- --api'));
    expect(deploy).toBeGreaterThan(0);
    expect(smoke).toBeGreaterThan(deploy);
    const { env } = jobs[job]!.steps.find(({ run }) => run?.includes('smoke'))!;
    expect(Object.keys(env ?? {})).toEqual(['PORTAL_API_KEY', 'PORTAL_PASSWORD']);
  });

  it('calls scripts that there are, and gives the smoke test the options that it requires', () => {
    const commands = Object.keys(jobs).flatMap(commandsOf);
    const called = commands.flatMap((run) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
    expect(called).toContain('smoke');
    for (const name of called) expect(scripts).toHaveProperty([name]);
    const program = readFileSync(new URL('infra/smoke/smoke.ts', root), 'utf8');
    const required = [...program.matchAll(/requiredOption\('(--\w+)/g)].map(([, option = '']) => option);
    expect(required.length).toBeGreaterThan(2);
    for (const option of required) expect(commandsOf('prod').at(-1)).toContain(option);
  });

  it('has no key of an AWS account, and does nothing where it is not configured', () => {
    expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(text).not.toMatch(/aws-(secret-)?access-key/);
    expect(jobs['test']?.if).toBe("vars.AWS_REGION != ''");
  });
});
