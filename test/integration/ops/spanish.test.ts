import { beforeEach, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { runCli } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

useDirectory();
const engine = useEngine();
let tenant: string;
let scope: SupplierScope;

beforeEach(async () => {
  tenant = `t${newId()}.example`;
  ({ scope } = await seedAccount(engine, { tenant: { tenant }, supplier: { supplier_id: '10' } }));
  const invoice = { invoiceId: '1', invoiceDate: '2026-08-31', systemAmount: decimal('1000.5') };
  await seedInvoices(engine, scope, [buildInvoice(invoice), buildInvoice({ invoiceId: '2', state: 'LIQ' })]);
  await declareInNewStore(engine, scope, { invoiceId: '1', amount: 1250 });
});

/** Runs a command with a locale of the system. */
function runCommand(args: readonly string[], { input = '', locale = 'es-AR' } = {}) {
  return runCli([...args, '--local'], { env: { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint }, input, locale });
}

it('list-invoices and summary print headings, totals and decimal commas in Spanish', async () => {
  const list = await runCommand(['list-invoices', tenant]);
  expect(list.stdout).toMatch(/^prestador +factura +fecha +sistema +declarado +impuesto % +diferencia +% +estado /);
  expect(list.stdout).toMatch(/^10 +1 +2026-08-31 +1000,5 +1250 +- +249,5 /m);
  expect(list.stdout).toContain('2 facturas (declaradas: 1): sistema 2000,5, declarado 1250, diferencia 249,5\n');
  const summary = await runCommand(['summary', tenant, '--month', '2026-08']);
  expect(summary.stdout).toMatch(/^estado +facturas +sistema .*\nREV En revisión +1 +1000,5 /);
  expect(summary.stdout).toContain('\n\nprestador ');
});

it('import-invoices prints counts and reasons in Spanish', async () => {
  const records = [
    { supplier_id: '10', invoice_id: '3', service_id: '5', system_amount: 1 },
    { supplier_id: '10', invoice_id: '1', system_amount: 7 },
    { supplier_id: '11', invoice_id: '9', service_id: '5', system_amount: 1 },
    { supplier_id: '10', invoice_id: '4', service_id: 'x', system_amount: -1, other: 1 },
    { supplier_id: '10', invoice_id: '8' },
  ];
  const input = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const { code, stdout } = await runCommand(['import-invoices', '-', '--tenant', tenant, '--dry-run'], { input });
  expect([code, stdout]).toEqual([
    1,
    `creadas: 1, modificadas: 0, sin cambios: 0, rechazadas: 4
  1 × system_amount: 1000,5 → 7, pero la factura está en REV, con 1250 declarado; para cambiarlo, indique --force y --reason
  1 × supplier_id: no existe el prestador 11 de ${tenant}
  1 × other: no es una propiedad conocida
Simulación: no se escribió nada.
`,
  ]);
});

it.each([
  ['--language en in a Spanish locale', ['list-invoices', '--language', 'en'], 'es-AR', 'Tenant x does not exist.\n'],
  ['a locale of another language', ['list-invoices'], 'est-EE', 'Tenant x does not exist.\n'],
  ['a command without --language', ['list-users'], 'es-AR', 'Tenant x does not exist.\n'],
  ['--language es in another locale', ['list-invoices', '--language', 'es'], 'en-US', 'No existe el tenant x.\n'],
])('the language of a message is that of the option or of the locale: %s', async (_, args, locale, stderr) => {
  const [command = '', ...options] = args;
  expect(await runCommand([command, 'x', ...options], { locale })).toMatchObject({ stderr });
});
