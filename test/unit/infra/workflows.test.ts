import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const folder = new URL('../../../.github/workflows/', import.meta.url);
const stepsOf = (name: string): Step[] => {
  const { jobs } = parse(readFileSync(new URL(name, folder), 'utf8')) as Record<
    'jobs',
    Record<string, { steps: Step[] }>
  >;
  return Object.values(jobs).flatMap(({ steps }) => steps);
};

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const steps = stepsOf(name);

  it('puts no variable into a shell line itself, where it would be code', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((run) => run.includes('${{'))).toEqual([]);
  });

  it('keeps no credentials in what it checks out', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const { with: options } of checkouts) expect(options).toMatchObject({ 'persist-credentials': false });
  });
});

it('the tests run on every kind of machine for which there is an engine', () => {
  const text = readFileSync(new URL('ci.yml', folder), 'utf8');
  for (const system of ['ubuntu-24.04', 'ubuntu-24.04-arm', 'windows-2025', 'macos-15'])
    expect(text).toMatch(new RegExp(`os: ${system},`));
});

it('a release is days old before it is proposed', () => {
  const renovate = JSON.parse(readFileSync(new URL('../renovate.json', folder), 'utf8'));
  expect(renovate).toMatchObject({ minimumReleaseAge: '7 days', internalChecksFilter: 'strict' });
  expect(renovate.vulnerabilityAlerts).toMatchObject({ minimumReleaseAge: null });
});
