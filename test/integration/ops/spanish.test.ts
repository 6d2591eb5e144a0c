import { afterAll, beforeEach, expect, it } from 'vitest';
import { setLanguage } from '../../../infra/ops/texts/language.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readGuide } from '../../support/guides/readme.ts';
import { commandNames, listCommandsWithOption, runCli } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

useDirectory();
// The files of a worker share the language.
afterAll(() => setLanguage('en'));
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
  expect(list.stdout).toContain(
    '2 facturas (declaradas: 1): sistema 2000,5, declarado 1250, diferencia 249,5, a pagar 0\n',
  );
  const summary = await runCommand(['summary', tenant, '--month', '2026-08', '--repeated-numbers']);
  expect(summary.stdout).toMatch(/^estado +facturas +sistema .*\nREV En revisión +1 +1000,5 /);
  expect(summary.stdout).toContain('\n\nprestador  comprobante  facturas\n');
});

it.each([
  ['set-state', '1 APR --reason Bien --revision 7', 'No se cambió nada: revision: se esperaba 7, pero la última es 1'],
  ['set-state', '1 APR --reason Bien --by Ana', /^Factura 1 de prestador 10: REV -> APR por \S+ \(Ana\): Bien$/],
  ['set-state', '1 REV --reason Bien', 'Factura 1 de prestador 10: ya REV. No se cambió nada.'],
  ['withdraw-invoice', '1 --reason Doble --revision 1', /^Factura 1 de prestador 10: retirada por \S+: Doble$/],
  ['restore-invoice', '1 --reason Bien', 'Factura 1 de prestador 10: ya RESTORE. No se cambió nada.'],
  ['history', '1', /^hora +tipo +prestador /],
  ['history', '404', /^Factura 404 de \S+: no existe; quizás tiene otros ceros iniciales u otro prestador, o una/],
  ['history', '404x', '<invoice>: debe ser un texto de 1 a 20 dígitos.'],
  ['find-request', '--at 2026-08-01', /^Ninguna declaración tiene el id de solicitud t\S+ No se guardó ninguna: /],
  ['audit', '', /^hora +quién +comando +estado +elementos +motivo +cambio +id$/],
])('%s %s prints in Spanish', async (command, options, text) => {
  const { stdout, stderr } = await runCommand([command, tenant, ...options.split(' ').filter(Boolean)]);
  if (text instanceof RegExp) expect(stdout + stderr).toMatch(new RegExp(text.source, 'm'));
  else expect(stdout + stderr).toContain(`${text}\n`);
});

it('every command of the Spanish guide has --language', () => {
  const spans = readGuide('infra/ops/guides/month.es.md').matchAll(/(?:ops -- |`)([a-z]+(?:-[a-z]+)*)/g);
  const names = new Set([...spans].map(([, name = '']) => name).filter((name) => commandNames.includes(name)));
  const translated = listCommandsWithOption('--language');
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => !translated.includes(name))).toEqual([]);
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
  línea 2: system_amount: 1000,5 → 7, pero la factura (REV) está declarada, aprobada o liquidada; para cambiarlo, indique --force y --reason
  línea 3: supplier_id: no existe el prestador 11 de ${tenant}
  línea 4: other: no es una propiedad conocida; service_id: debe ser un texto de 1 a 20 dígitos; system_amount: debe ser un número de 0 a 999999999999,99
  línea 5: record: una factura nueva requiere service_id, system_amount
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
