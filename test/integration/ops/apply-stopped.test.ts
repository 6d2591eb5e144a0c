import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../lib/auth/api-keys.ts';
import type { Key } from '../../../lib/storage/dynamodb/key.ts';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { apiKey, apply, company, lists, user } from '../../support/ops/apply-lists.ts';
import { runCli, runOps, timeless } from '../../support/ops/run-ops.ts';
import { newId, readRecord } from '../../support/data/seed.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';

const directory = useDirectory();
const engine = useEngine();
let tenant: string;
let key: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
  key = crypto.randomUUID();
});

const ops = (...args: string[]) => runOps(engine.endpoint, ...args);
const run = (file: Record<string, unknown>) => apply(engine, tenant, file);
const stored = (place: Key) => readRecord(engine, place);
const filed = () => ({ ...lists, api_keys: [{ ...apiKey, key }] });

/** Applies the lists through the command line. */
function applyFile(file: object, ...options: string[]) {
  writeFileSync(join(directory, 'directory.json'), JSON.stringify({ tenants: [{ tenant, ...file }] }));
  const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint };
  return runCli(['apply', 'directory.json', '--local', ...options], { env });
}

/** What each kind of record is stopped and resumed by, and what a file says of it. */
const kinds = [
  {
    kind: 'company',
    rule: 'auth/rule-4/endpoints',
    stop: () => ['suspend-company', tenant, '1'],
    resume: () => ['resume-company', tenant, '1'],
    place: () => directoryKeys.company(tenant, '1'),
    stopped: { status: 'SUSPENDED' },
    path: 'tenants[0].companies[0]',
    stoppedFile: () => ({ ...filed(), companies: [{ ...company, status: 'SUSPENDED' }] }),
  },
  {
    kind: 'user',
    rule: 'auth/rule-2/login',
    stop: () => ['deactivate-user', tenant, '100'],
    resume: () => ['activate-user', tenant, '100'],
    place: () => directoryKeys.user(tenant, '100'),
    stopped: { active: false },
    path: 'tenants[0].users[0]',
    stoppedFile: () => ({ ...filed(), users: [{ ...user, active: false }] }),
  },
] as const;

describe('a company or user', () => {
  it.each(kinds)(
    'that a command stopped stays so through any file, until the command that resumes it: $kind [$rule]',
    async ({ stop, resume, place, stopped, path, stoppedFile }) => {
      await run(filed());
      await ops(...stop());
      for (const file of [filed(), stoppedFile(), filed()]) {
        await run(file);
        expect(await stored(place())).toMatchObject(stopped);
      }
      await ops(...resume());
      expect(await stored(place())).not.toMatchObject(stopped);
      expect(await stored(place())).not.toHaveProperty('stopped_at');
      expect((await run(filed())).outcomes).toMatchObject({ [path]: 'left' });
    },
  );

  it.each(kinds)('that a file stopped is resumed by a file: $kind', async ({ place, stopped, path, stoppedFile }) => {
    await run(filed());
    expect((await run(stoppedFile())).outcomes).toMatchObject({ [path]: 'changed' });
    expect(await stored(place())).toMatchObject(stopped);
    expect((await run(filed())).outcomes).toMatchObject({ [path]: 'changed' });
    expect(await stored(place())).not.toMatchObject(stopped);
  });

  it.each(kinds)(
    'that a file stopped, and then a command too, is resumed by no file: $kind [$rule]',
    async ({ stop, place, stopped, stoppedFile }) => {
      await run(stoppedFile());
      const first = await ops(...stop());
      expect(timeless(first).stdout).toMatch(/^changed .+\n {4}stopped_at: \(none\) -> TIME\n/);
      const { stopped_at: since } = await stored(place());
      expect((await ops(...stop())).stdout).toMatch(/^left .+\n.+ already\.\n$/);
      await run(filed());
      expect(await stored(place())).toMatchObject({ ...stopped, stopped_at: since });
    },
  );
});

describe('apply', () => {
  it('says what it left alone and why, in a dry run as when it writes, and changes all the rest', async () => {
    await run(filed());
    await ops('suspend-company', tenant, '1');
    await ops('deactivate-user', tenant, '100');
    await ops('revoke-key', tenant, key);
    const file = {
      companies: [{ ...company, name: 'Renamed' }],
      users: [user],
      api_keys: [{ ...apiKey, key, valid_until: '2027-12-31' }],
    };
    const lines = [
      `left      tenant ${tenant}`,
      `changed   company 1 of ${tenant}`,
      '    name: Company -> Renamed',
      '    status: left SUSPENDED, because suspend-company stopped it at TIME; resume-company ends that',
      `left      user 100 (Ana@x.example) of ${tenant}`,
      '    active: left false, because deactivate-user stopped it at TIME; activate-user ends that',
      `changed   API key "ERP" of company 1 of ${tenant}`,
      '    valid_until: 2026-12-31T23:59:59.999Z -> 2027-12-31T23:59:59.999Z',
      '    status: left INACTIVE, because revoke-key stopped it at TIME; nothing ends that; issue-key makes a new key',
      '0 created, 2 changed, 2 left, 0 rejected',
    ].join('\n');
    const dry = await applyFile(file, '--dry-run');
    expect(timeless(dry)).toEqual({
      code: 0,
      stdout: `${lines}\nDry run: nothing was written.\n`,
      stderr: '',
    });
    expect(timeless(await applyFile(file))).toEqual({ code: 0, stdout: `${lines}\n`, stderr: '' });
    expect(await stored(directoryKeys.apiKey(hashApiKey(key)))).toMatchObject({ status: 'INACTIVE' });
    expect(await stored(directoryKeys.company(tenant, '1'))).toMatchObject({ name: 'Renamed', status: 'SUSPENDED' });
  });

  it('tells scripts what it left alone and why', async () => {
    await run(filed());
    await ops('deactivate-user', tenant, '100');
    const { stopped_at: since } = await stored(directoryKeys.user(tenant, '100'));
    const { code, stdout } = await applyFile({ users: [user] }, '--json');
    expect(code).toBe(0);
    const reason = `deactivate-user stopped it at ${String(since)}; activate-user ends that`;
    expect(JSON.parse(stdout).entries[1]).toMatchObject({
      outcome: 'left',
      changes: [],
      left_alone: [{ property: 'active', value: false, reason }],
    });
  });

  it('says nothing of a stop that the file wants, too', async () => {
    await run(filed());
    await ops('suspend-company', tenant, '1');
    const { stdout } = await applyFile({ companies: [{ ...company, status: 'SUSPENDED' }] });
    expect(stdout).toBe(
      `left      tenant ${tenant}\nleft      company 1 of ${tenant}\n0 created, 0 changed, 2 left, 0 rejected\n`,
    );
  });
});
