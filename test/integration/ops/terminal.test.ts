import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { usePortal } from '../../support/setup/use-portal.ts';
import { runCli, runOps } from '../../support/ops/run-ops.ts';
import { changeRecord } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';

const portal = usePortal();
const directory = useDirectory();

// Clears the screen, in seven bits and in eight; sets the title of the window; shows what follows from right to left;
// hides.
const accountName =
  'Seguros\u001b[2J\u001b[H \u009b2JLa\u0085 \u001b]0;x\u0007\u202e4500.00 \u200b\u2066Pampa\u{e0041}\u2028\u007f';
const shownName = 'Seguros [2J [H  2JLa   ]0;x 4500.00 Pampa';
/** What a terminal does not show, but may obey. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const lines = (text: string) => text.replaceAll('\n', '');

/** A caller with the e-mail of an attacker and the invoice 77, which it has declared with such notes. */
async function aCaller() {
  const { account, call } = await portal.newCaller();
  const { scope, keys } = account;
  await seedInvoices(portal.engine, scope, [anInvoice({ invoiceId: '77', accountName })]);
  await changeRecord(portal.engine, keys.user, { email: 'eve\u202emoc.latrop@' });
  await call('declare-invoice', { body: { invoice_id: '77', amount: 1050, notes: accountName } });
  const ops = (command: string, ...args: string[]) =>
    runOps(portal.engine.endpoint, command, scope.tenant, '77', ...args);
  return { scope, ops };
}

describe('what the data bring along', () => {
  it('does nothing to a terminal', async () => {
    const { ops } = await aCaller();
    const shown = await ops('show');
    expect(shown.stdout).toContain(shownName);
    expect(lines(shown.stdout)).not.toMatch(unseen);
    const history = await ops('history');
    expect(history.stdout).toContain('evemoc.latrop@');
    expect(lines(history.stdout)).not.toMatch(unseen);
  });

  it('is escaped in a document for scripts, which say the same', async () => {
    const { ops } = await aCaller();
    const shown = await ops('show', '--json');
    expect(lines(shown.stdout)).not.toMatch(unseen);
    const { stdout } = await ops('history', '--json');
    expect(lines(stdout)).not.toMatch(unseen);
    expect(JSON.parse(shown.stdout)).toMatchObject({ account_name: accountName, declared_notes: accountName });
    expect(stdout).toContain(String.raw`eve\u202emoc.latrop@`);
  });

  it('does nothing to a terminal when it is the reason of a failure', async () => {
    const { code, stderr } = await runCli(['apply', 'x\u001b[2J\u202e\u009bm.yaml', '--local'], {
      env: { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('The file x [2J m.yaml cannot be read');
    expect(lines(stderr)).not.toMatch(unseen);
  });

  it('is escaped in the file of rejected records, which is imported again as it was', async () => {
    const { scope } = await aCaller();
    const file = join(directory, 'invoices.ndjson');
    const record = { invoice_id: '78', supplier_id: '1', account_name: accountName, system_amount: 1 };
    // As a program writes it that escapes only what it must.
    writeFileSync(file, `${JSON.stringify(record)}\n{"account_name": "\u009b2J\u202e"\n`);
    const { code } = await runOps(portal.engine.endpoint, 'import-invoices', file, '--tenant', scope.tenant);
    expect(code).toBe(1);
    const rejected = readFileSync(`${file}.rejected.ndjson`, 'utf8');
    expect(lines(rejected)).not.toMatch(unseen);
    const [first, second] = rejected
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { record: unknown });
    expect(first?.record).toEqual(record);
    expect(second?.record).toBe('{"account_name": "\u009b2J\u202e"');
  });
});
