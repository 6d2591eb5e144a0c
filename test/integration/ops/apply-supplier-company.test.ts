import { beforeEach, describe, expect, it } from 'vitest';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { apply, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { changeRecord, newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let tenant: string;

beforeEach(async () => {
  tenant = `t${newId()}.example`;
  await run({ ...lists, companies, suppliers: [supplier, foreign] });
});

const companies = [company, { ...company, company_id: '2' }];
const foreign = { ...supplier, supplier_id: '20', company_id: '2' };
const moved = { ...supplier, company_id: '2' };
const { supplier_id: _, ...silent } = user;
const second = { ...user, user_id: '101', email: 'b@x.example', username: 'b' };

const run = (file: Record<string, unknown>, options = {}) => apply(engine, tenant, file, options);
const readUser = () => readRecord(engine, directoryKeys.user(tenant, '100'));
const readSupplier = () => readRecord(engine, directoryKeys.supplier(tenant, '10'));

describe('a user', () => {
  const BELONGS = 'supplier 20 belongs to company 2, and the user to company 1';

  it.each([true, false])('cannot be linked to a supplier of another company (dry run: %s)', async (dryRun) => {
    const before = await readUser();
    const { outcomes } = await run({ users: [{ ...user, supplier_id: '20' }] }, { dryRun });
    expect(outcomes).toEqual({ 'tenants[0].users[0]': [`tenants[0].users[0].supplier_id: ${BELONGS}`] });
    expect(await readUser()).toEqual(before);
  });

  it('that is new cannot, either, nor one whose supplier is new', async () => {
    const suppliers = [{ ...supplier, supplier_id: '30', company_id: '2' }];
    const users = [
      { ...second, supplier_id: '20' },
      { ...second, user_id: '102', email: 'c@x.example', username: 'c', supplier_id: '30' },
    ];
    expect((await run({ suppliers, users })).outcomes).toEqual({
      'tenants[0].users[0]': [`tenants[0].users[0].supplier_id: ${BELONGS}`],
      'tenants[0].users[1]': [
        'tenants[0].users[1].supplier_id: supplier 30 belongs to company 2, and the user to company 1',
      ],
    });
  });

  it('cannot leave the company of its supplier, which the file does not name', async () => {
    const fault = 'tenants[0].users[0].company_id: supplier 10 belongs to company 1, and the user to company 2';
    expect((await run({ users: [{ ...silent, company_id: '2' }] })).outcomes).toEqual({
      'tenants[0].users[0]': [fault],
    });
    expect((await run({ users: [{ ...user, company_id: '2', supplier_id: null }] })).outcomes).toMatchObject({
      'tenants[0].users[0]': 'changed',
    });
    expect((await run({ users: [{ ...user, company_id: '2', supplier_id: '20' }] })).outcomes).toMatchObject({
      'tenants[0].users[0]': 'changed',
    });
  });
});

describe('a supplier', () => {
  it.each([true, false])('cannot leave the users behind who are linked to it (dry run: %s)', async (dryRun) => {
    await run({ users: [second] });
    const { outcomes } = await run({ suppliers: [moved] }, { dryRun });
    expect(outcomes).toEqual({
      'tenants[0].suppliers[0]': [
        'tenants[0].suppliers[0].company_id: users linked to it would stay in another company: 100, 101',
      ],
    });
    expect(await readSupplier()).toMatchObject({ company_id: '1' });
  });

  it('cannot leave behind a user that the file names without its supplier', async () => {
    const { outcomes } = await run({ suppliers: [moved], users: [silent] });
    expect(outcomes).toEqual({
      'tenants[0].users[0]': [
        'tenants[0].users[0].company_id: supplier 10 belongs to company 2, and the user to company 1',
      ],
    });
    expect(await readSupplier()).toMatchObject({ company_id: '1' });
  });

  it.each([
    ['moves them, too', { company_id: '2' }],
    ['moves them, too, and does not name their supplier', { company_id: '2', supplier_id: undefined }],
    ['links them to no supplier', { supplier_id: null }],
  ])('may move when the file %s', async (_what, changes) => {
    const file = { suppliers: [moved], users: [{ ...user, ...changes }] };
    const done = { 'tenants[0]': 'left', 'tenants[0].suppliers[0]': 'changed', 'tenants[0].users[0]': 'changed' };
    expect((await run(file, { dryRun: true })).outcomes).toEqual(done);
    expect((await run(file)).outcomes).toEqual(done);
    expect(await readSupplier()).toMatchObject({ company_id: '2' });
  });

  it('may move when its users are of the other company already, or there are none', async () => {
    await run({ users: [{ ...user, supplier_id: null }] });
    expect((await run({ suppliers: [moved] })).outcomes).toMatchObject({ 'tenants[0].suppliers[0]': 'changed' });
    // As a version that did not check this has left it.
    await changeRecord(engine, directoryKeys.user(tenant, '100'), { supplier_id: '10' });
    expect((await run({ suppliers: [supplier] })).outcomes).toMatchObject({ 'tenants[0].suppliers[0]': 'changed' });
  });
});
