import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../lib/auth/api-keys.ts';
import type { Key } from '../../../lib/storage/dynamodb/key.ts';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { apiKey, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { runCli, runOps, timeless } from '../../support/ops/run-ops.ts';
import { newId, readRecord } from '../../support/data/seed.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';

const directory = useDirectory();
const engine = useEngine();
let tenant: string;
let key: string;

beforeEach(() => {
  key = crypto.randomUUID();
  tenant = `t${newId()}.example`;
});

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

function apply(text: string, ...options: string[]) {
  writeFileSync(join(directory, 'directory.yaml'), text);
  const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint };
  return runCli(['apply', 'directory.yaml', '--local', ...options], { env });
}

const applyLists = (file: object, ...options: string[]) =>
  apply(JSON.stringify({ tenants: [{ tenant, ...file }] }), ...options);

const pct = { mode: 'PCT', tolerance_pct: 5, auto_approve: true };

describe('apply', () => {
  it('prints a line for each entry and a summary, and shows a generated key once', async () => {
    const { code, stdout, stderr } = await applyLists(lists);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.replace(UUID, 'KEY').split('\n')).toEqual([
      `created   tenant ${tenant}`,
      `created   company 1 of ${tenant}`,
      `created   supplier 10 of ${tenant}`,
      `created   user 100 (Ana@x.example) of ${tenant}`,
      `created   API key "ERP" of company 1 of ${tenant}: KEY (shown only once)`,
      '5 created, 0 changed, 0 left, 0 rejected',
      '',
    ]);
    const again = await applyLists(lists);
    expect(again.stdout).toContain(`left      API key "ERP" of company 1 of ${tenant}\n0 created, 0 changed, 5 left`);
  });

  it('shows below a changed entry every property that changes', async () => {
    await applyLists(lists);
    const changes = { username: null, password: 'brand-new-q7x', permissions: ['A'], expires_at: '2027-01-01' };
    const after = {
      suppliers: [{ ...supplier, tolerance: { ...pct, tolerance_abs: 10 } }],
      users: [{ ...user, ...changes }],
    };
    const lines = [
      `left      tenant ${tenant}`,
      `changed   supplier 10 of ${tenant}`,
      '    tolerance.mode: (none) -> PCT',
      '    tolerance.tolerance_pct: (none) -> 5',
      '    tolerance.tolerance_abs: (none) -> 10',
      '    tolerance.auto_approve: (none) -> true',
      `changed   user 100 (Ana@x.example) of ${tenant}`,
      '    username: ana -> (none)',
      '    permissions: READ -> A',
      '    expires_at: (none) -> 2027-01-01T23:59:59.999Z',
      '    tokens_from: (none) -> TIME',
      '    password: changed',
      '0 created, 2 changed, 1 left, 0 rejected',
    ];
    expect(timeless(await applyLists(after)).stdout).toBe(`${lines.join('\n')}\n`);
    expect((await applyLists(after)).stdout).toContain('0 created, 0 changed, 3 left');
  });

  it('ends with 1 when the file has faults, names them all, and writes nothing', async () => {
    const users = [{ ...user, email: 'nobody', supplier_id: '10' }];
    const file = { ...lists, suppliers: [{ ...supplier, company_id: '2' }], users };
    const email = 'rejected  tenants[0].users[0].email: must be an e-mail address of at most 200 characters';
    const reference = 'rejected  tenants[0].suppliers[0].company_id: company 2 does not exist';
    expect(await applyLists(file)).toEqual({
      code: 1,
      stdout: '2 errors: nothing was written\n',
      stderr: `${email}\n${reference}\n`,
    });
    expect((await applyLists({ companies: [company] })).stdout).toContain('2 created');
  });

  it('gives scripts one document', async () => {
    const document = JSON.parse((await applyLists(lists, '--json')).stdout);
    expect(document).toMatchObject({ created: 5, changed: 0, left: 0, rejected: 0, dry_run: false, faults: [] });
    const created = { tenant, outcome: 'created', changes: [] };
    expect(document.entries).toEqual([
      { kind: 'tenant', ...created },
      { kind: 'company', company_id: '1', ...created },
      { kind: 'supplier', supplier_id: '10', ...created },
      { kind: 'user', user_id: '100', email: user.email, ...created },
      { kind: 'api_key', company_id: '1', name: 'ERP', generated_key: expect.stringMatching(UUID), ...created },
    ]);
    const changes = { tolerance: pct, users: [{ ...user, password: 'other-Secret-q7' }] };
    expect(JSON.parse((await applyLists(changes, '--json')).stdout)).toMatchObject({
      changed: 2,
      entries: [
        { changes: expect.arrayContaining([{ property: 'tolerance.tolerance_pct', before: null, after: 5 }]) },
        { changes: [expect.objectContaining({ property: 'tokens_from' }), { property: 'password' }] },
      ],
    });
    const faulty = await applyLists({ users: [{ ...user, active: 'yes' }] }, '--json');
    expect(faulty).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(faulty.stdout)).toMatchObject({
      rejected: 1,
      entries: [],
      faults: ['tenants[0].users[0].active: must be true or false'],
    });
  });

  it('tells a generated key even when what comes after it fails', async () => {
    // Too large to be stored.
    const giant = { ...user, permissions: Array.from({ length: 3000 }, () => 'P'.repeat(200)) };
    const tenants = [
      { tenant, ...lists },
      { tenant: `other-${tenant}`, companies: [company], suppliers: [supplier], users: [giant] },
    ];
    const { code, stdout } = await apply(JSON.stringify({ tenants }), '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout).entries).toContainEqual(
      expect.objectContaining({ kind: 'api_key', generated_key: expect.stringMatching(UUID) }),
    );
  });

  it('never shows a password, nor what is stored of it', async () => {
    const file = (password: string) => ({ ...lists, users: [{ ...user, password }], companies: [company] });
    const runs = [
      await applyLists(file('first-Secret-q7')),
      await applyLists(file('second-Secret-q7'), '--dry-run'),
      await applyLists(file('second-Secret-q7'), '--json'),
      await applyLists({ users: [{ ...user, password: 'third-Secret-q7', email: 'x' }] }),
      await applyLists({ users: [{ ...user, password: 'third-Secret-q7', active: 'x' }] }, '--json'),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 1, 1]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toMatch(/Secret|argon2/);
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['of YAML', 'tenants:\n  - tenant: a\n    x: [1, }\n', 'bad indent at line 3'],
    ['of JSON', '{\n"a": 1,\n"b" "c"}', 'at line 3, column 5'],
    ['with a property twice', 'a: 1\na: 2\n', 'duplicate key at line 2, column 1'],
  ])('%s has the line named', async (_, text, reason) => {
    expect(await apply(text)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it.each(['*s3cret', '!!s3cret', '!!!s3cret', '!s3cret!', '"s3cret\n', '[s3cret', '|s3cret', '>s3cret'])(
    'has nothing of it shown (%s)',
    async (password) => {
      const { code, stdout, stderr } = await apply(`tenants:\n  - password: ${password}\n`);
      expect(code).not.toBe(0);
      expect(stderr).not.toBe('');
      expect(stdout + stderr).not.toContain('s3cret');
    },
  );
});

const ops = (...args: string[]) => runOps(engine.endpoint, ...args);
const stored = (place: Key) => readRecord(engine, place);
const filed = () => ({ ...lists, api_keys: [{ ...apiKey, key }] });

/** What each kind of record is stopped and resumed by, and what a file says of it. */
const kinds = [
  {
    kind: 'company',
    rule: 'auth/rule-4/endpoints',
    stop: () => ['suspend-company', tenant, '1'],
    resume: () => ['resume-company', tenant, '1'],
    place: () => directoryKeys.company(tenant, '1'),
    stopped: { status: 'SUSPENDED' },
    endsSessions: '',
    stoppedFile: () => ({ ...filed(), companies: [{ ...company, status: 'SUSPENDED' }] }),
  },
  {
    kind: 'user',
    rule: 'auth/rule-2/login',
    stop: () => ['deactivate-user', tenant, '100'],
    resume: () => ['activate-user', tenant, '100'],
    place: () => directoryKeys.user(tenant, '100'),
    stopped: { active: false },
    endsSessions: '    tokens_from: TIME -> TIME\n',
    stoppedFile: () => ({ ...filed(), users: [{ ...user, active: false }] }),
  },
] as const;

describe('a company or user', () => {
  it.each(kinds)(
    'that a command stopped stays so through any file, until the command that resumes it: $kind [$rule]',
    async ({ stop, resume, place, stopped, stoppedFile }) => {
      await applyLists(filed());
      await ops(...stop());
      for (const file of [filed(), stoppedFile(), filed()]) {
        await applyLists(file);
        expect(await stored(place())).toMatchObject(stopped);
      }
      await ops(...resume());
      expect(await stored(place())).not.toMatchObject(stopped);
      expect(await stored(place())).not.toHaveProperty('stopped_at');
      expect((await applyLists(filed())).stdout).toContain('0 created, 0 changed, 5 left');
    },
  );

  it.each(kinds)(
    'that a file stopped is resumed by a file, unless a command stopped it too: $kind [$rule]',
    async ({ stop, place, stopped, stoppedFile, endsSessions }) => {
      const changedBy = async (file: object) => JSON.parse((await applyLists(file, '--json')).stdout).changed;
      await applyLists(filed());
      expect(await changedBy(stoppedFile())).toBe(1);
      expect(await stored(place())).toMatchObject(stopped);
      expect(await changedBy(filed())).toBe(1);
      expect(await stored(place())).not.toMatchObject(stopped);

      await applyLists(stoppedFile());
      expect(timeless(await ops(...stop())).stdout).toContain(`${endsSessions}    stopped_at: (none) -> TIME\n`);
      const since = await stored(place());
      expect((await ops(...stop())).stdout).toMatch(/^left .+\n.+ is already .+\n$/);
      await applyLists(filed());
      expect(await stored(place())).toEqual(since);
    },
  );
});

describe('apply, of what a command stopped', () => {
  it('says what it left alone and why, in a dry run as when it writes and to scripts, and changes all the rest', async () => {
    await applyLists(filed());
    await ops('suspend-company', tenant, '1');
    await ops('deactivate-user', tenant, '100');
    await ops('revoke-key', tenant, key.slice(-4));
    const file = {
      companies: [{ ...company, name: 'Renamed' }],
      users: [user],
      api_keys: [{ ...apiKey, key, valid_until: '2027-12-31' }],
    };
    const lines = [
      `left      tenant ${tenant}`,
      `changed   company 1 of ${tenant}`,
      '    name: Company -> Renamed',
      '    status: kept SUSPENDED, because suspend-company was run at TIME; to end this, run resume-company',
      `left      user 100 (Ana@x.example) of ${tenant}`,
      '    active: kept false, because deactivate-user was run at TIME; to end this, run activate-user',
      `changed   API key "ERP" of company 1 of ${tenant}`,
      '    valid_until: 2026-12-31T23:59:59.999Z -> 2027-12-31T23:59:59.999Z',
      '    status: kept INACTIVE, because revoke-key was run at TIME; this is permanent; to issue a new key, run issue-key',
      '0 created, 2 changed, 2 left, 0 rejected',
    ].join('\n');
    const dry = await applyLists(file, '--dry-run');
    const stdout = `${lines}\nDry run: nothing was written.\n`;
    expect(timeless(dry)).toEqual({ code: 0, stdout, stderr: '' });
    expect(timeless(await applyLists(file))).toEqual({ code: 0, stdout: `${lines}\n`, stderr: '' });
    const { entries } = JSON.parse((await applyLists(file, '--json')).stdout);
    const { stopped_at: since } = await stored(directoryKeys.user(tenant, '100'));
    const reason = `deactivate-user was run at ${String(since)}; to end this, run activate-user`;
    const alone = [{ property: 'active', value: false, reason }];
    expect(entries[2]).toMatchObject({ outcome: 'left', changes: [], left_alone: alone });
    expect(await stored(directoryKeys.apiKey(hashApiKey(key)))).toMatchObject({ status: 'INACTIVE' });
    expect(await stored(directoryKeys.company(tenant, '1'))).toMatchObject({ name: 'Renamed', status: 'SUSPENDED' });
  });

  it('says nothing of a stop that the file wants, too', async () => {
    await applyLists(filed());
    await ops('suspend-company', tenant, '1');
    const { stdout } = await applyLists({ companies: [{ ...company, status: 'SUSPENDED' }] });
    expect(stdout).toBe(
      `left      tenant ${tenant}\nleft      company 1 of ${tenant}\n0 created, 0 changed, 2 left, 0 rejected\n`,
    );
  });
});
