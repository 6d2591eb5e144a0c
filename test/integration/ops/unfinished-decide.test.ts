import { EventEmitter } from 'node:events';
import { beforeEach, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';
import { runCli } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

useDirectory();
const portal = useWatchedPortal();
let scope: SupplierScope;

beforeEach(async () => {
  ({ scope } = await seedAccount(portal.engine));
  await seedInvoices(portal.engine, scope, [anInvoice({ invoiceId: '1' })]);
});

it.each([
  [
    'ends with 3 and names the error if a write fails',
    () => void portal.proxy.fail({ operation: 'TransactWriteItems', how: 'error' }),
    { code: 3, stdout: '', stderr: /InternalServerError/ },
  ],
  [
    'ends with 130 and asks to run it again if it is interrupted before it writes',
    (host: EventEmitter) => {
      portal.proxy.watch = (operation, input) => {
        if (operation === 'BatchGetItem' && JSON.stringify(input).includes(portal.engine.tables.Directory))
          host.emit('SIGINT');
      };
    },
    { code: 130, stdout: 'Interrupted. To continue, run the command again.\n', stderr: /^$/ },
  ],
])('decide %s, and prints its counts and decides nothing', async (_, disturb, expected) => {
  const host = new EventEmitter();
  disturb(host);
  const row = { supplier_id: scope.supplierId, invoice_id: '1', revision: 0, decision: 'APR', reason: 'Seen' };
  const run = await runCli(['decide', '-', '--tenant', scope.tenant, '--local'], {
    env: { AWS_ENDPOINT_URL_DYNAMODB: portal.proxy.engine.endpoint },
    input: JSON.stringify(row),
    host,
  });
  const stdout = `0 decided, 0 unchanged, 0 without a decision, 0 rejected\n${expected.stdout}`;
  expect(run).toEqual({ code: expected.code, stdout, stderr: expect.stringMatching(expected.stderr) });
  expect((await storedInvoices(portal.engine, scope)).get('1')).toMatchObject({ state_code: 'PEN' });
});
