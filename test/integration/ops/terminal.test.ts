import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usePortal } from '../../support/setup/use-portal.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';

const portal = usePortal();
const directory = useDirectory();

// Contains control sequences that clear the screen, set the title and reverse the text, and invisible characters.
const accountName =
  'Seguros\u001b[2J\u001b[H \u009b2JLa\u0085 \u001b]0;x\u0007\u202e4500.00 \u200b\u2066Pampa\u{e0041}\u2028\u007f';
const shownName = 'Seguros [2J [H  2JLa   ]0;x 4500.00 Pampa';
/** Characters that a terminal does not show, but may execute. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const removeLineEnds = (text: string) => text.replaceAll('\n', '');

it('control characters of the data are omitted for people, and escaped in the document for scripts', async () => {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '77', accountName })]);
  await call('declare-invoice', { body: { invoice_id: '77', amount: 1050, notes: accountName } });
  const readOutput = async (command: string, ...options: string[]) => {
    const { stdout } = await runOps(portal.engine.endpoint, command, account.scope.tenant, '77', ...options);
    expect(removeLineEnds(stdout)).not.toMatch(invisible);
    return stdout;
  };
  expect(await readOutput('show')).toContain(shownName);
  await readOutput('history');
  const shown = JSON.parse(await readOutput('show', '--json'));
  expect(shown).toMatchObject({ account_name: accountName, declared_notes: accountName });
  const { changes } = JSON.parse(await readOutput('history', '--json')) as { readonly changes: object[] };
  expect(changes).toMatchObject([{ declaration: { declared_notes: accountName } }]);
});

it('control characters are escaped in the file of rejected records, which contains the record unchanged', async () => {
  const record = { invoice_id: '78', supplier_id: '1', account_name: accountName, system_amount: 1 };
  // JSON.stringify escapes only the characters that JSON requires.
  const file = join(directory, 'invoices.ndjson');
  writeFileSync(file, `${JSON.stringify(record)}\n{"account_name": "\u009b2J\u202e"\n`);
  const { account } = await portal.newCaller();
  const { code } = await runOps(portal.engine.endpoint, 'import-invoices', file, '--tenant', account.scope.tenant);
  expect(code).toBe(1);
  const rejected = readFileSync(`${file}.rejected.ndjson`, 'utf8');
  expect(removeLineEnds(rejected)).not.toMatch(invisible);
  const [first, second] = rejected
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { record: unknown });
  expect(first?.record).toEqual(record);
  expect(second?.record).toBe('{"account_name": "\u009b2J\u202e"');
});
