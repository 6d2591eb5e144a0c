import { beforeEach, describe, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { listCommandsWithOption, runCli } from '../../support/ops/run-ops.ts';
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

const review = 'supplier_id,invoice_id,revision,decision,reason\n10,1,2,APR,x\n10,3,0,APR,x\n10,2,0,PEN,x\n';

describe('the commands of a clerk', () => {
  it('the commands with --language are those of a clerk', () => {
    const commands = [
      'import-invoices',
      'list-invoices',
      'summary',
      'decide',
      'export-declarations',
      'changes',
      'undo',
    ];
    expect(listCommandsWithOption('--language').toSorted()).toEqual(commands.toSorted());
  });

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

  it('import-invoices accepts a control total with a decimal comma, and prints another total with one', async () => {
    const input = `${JSON.stringify({ supplier_id: '10', invoice_id: '3', service_id: '5', system_amount: 1.5 })}\n`;
    const args = ['import-invoices', '-', '--tenant', tenant, '--dry-run', '--expect-total'];
    expect(await runCommand([...args, '1,50'], { input })).toMatchObject({ code: 0 });
    expect(await runCommand([...args, '2,5'], { input })).toMatchObject({
      code: 2,
      stderr: '--expect-total: se esperaba 2,5, pero system_amount suma 1,5.\nNo se importó nada.\n',
    });
  });

  it('decide prints counts and reasons in Spanish', async () => {
    const args = ['decide', '-', '--format', 'csv', '--tenant', tenant, '--dry-run'];
    const { stdout } = await runCommand(args, { input: review });
    expect(stdout).toBe(`Leído como UTF-8, separado por comas.
decididas: 0, sin cambios: 0, sin decisión: 0, rechazadas: 3
  1 × revision: se esperaba 2, pero la última es 1
  1 × invoice_id: el prestador no tiene esa factura
  1 × decision: la factura está liquidada (LIQ); solo set-state --force puede cambiarla
Simulación: no se escribió nada.
`);
  });

  it('export-declarations and changes print their notes, headings and numbers in Spanish', async () => {
    const { stderr } = await runCommand(['export-declarations', tenant, '--csv']);
    expect(stderr).toMatch(/^No hay cursor: la exportación empieza .*\n1 declaración por 1250 en total, hasta 20/);
    const { stdout } = await runCommand(['changes', tenant, '--since', new Date(Date.now() - 60_000).toISOString()]);
    expect(stdout).toMatch(/^hora +tipo +prestador +factura +quién +cambio .*\n.+ declared_amount: - → 1250; /);
  });

  it.each([
    [['list-invoices', 'absent.example'], 'No existe el tenant absent.example.'],
    [['decide', 'absent.csv', '--tenant', 'absent.example'], 'No existe el tenant absent.example.'],
    [
      ['undo', 'absent.example', '404', '--reason', 'x'],
      'Ningún comando de absent.example tiene el id 404. Para ver los comandos, use audit absent.example.',
    ],
    [['import-invoices', 'absent.csv', '--tenant', 'x'], 'No se puede leer el archivo absent.csv: ENOENT: no existe'],
    [['list-invoices', 'x', '--from', 'hoy'], '--from hoy no es una fecha ISO 8601, por ejemplo 2026-08-31.'],
  ])('the error of %j is in Spanish', async (args, message) => {
    expect(await runCommand(args)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  });

  it.each([
    ['--language en in a Spanish locale', ['list-invoices', '--language', 'en'], 'es-AR', 'Tenant x does not exist.\n'],
    ['a locale of another language', ['list-invoices'], 'est-EE', 'Tenant x does not exist.\n'],
    ['a command without --language', ['list-withdrawn'], 'es-AR', 'Tenant x does not exist.\n'],
    ['--language es in another locale', ['list-invoices', '--language', 'es'], 'en-US', 'No existe el tenant x.\n'],
  ])('the language of a message is that of the option or of the locale: %s', async (_, args, locale, stderr) => {
    const [command = '', ...options] = args;
    expect(await runCommand([command, 'x', ...options], { locale })).toMatchObject({ stderr });
  });
});
