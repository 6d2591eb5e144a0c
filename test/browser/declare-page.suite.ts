import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { createPortalClient } from '../../lib/client/index.ts';
import { formatAmount } from '../../lib/declare-page/totals.ts';
import { buildWorkbook, type WorkbookCell } from '../support/data/workbook.ts';
import { readFirstSheet } from '../support/data/read-workbook.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { useStarted } from '../support/setup/use-started.ts';
import { openBrowser } from './open-browser.ts';

const email = 'nadia@demo.example';
const service = useStarted(() => startLocalService({ demo: 'full' }));
let browser: Browser;
let problems: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  expect(problems.splice(0)).toEqual([]);
});
afterAll(() => browser.close());

/** Opens the page. Violations of its policy, exceptions and requests to other hosts are problems. */
async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ locale: 'es-AR', ...options });
  // The page waits if a limit of requests is reached.
  page.setDefaultTimeout(90_000);
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // The browser reports each rejected or lost request, which some tests expect.
    if (!message.text().startsWith('Failed to load resource')) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith('blob:')) problems.push(request.url());
  });
  await page.goto(`${service.url}/declare`);
  return page;
}

const { tenant, apiKey, password } = DEMO_ACCOUNT;

async function logIn(page: Page, user = { email, password }): Promise<void> {
  await page.getByLabel('Tenant').fill(tenant);
  await page.getByLabel(/^(Clave de API|API key)$/).fill(apiKey);
  await page.getByRole('button', { name: /Siguiente|Next/ }).click();
  await page.getByLabel(/Correo|E-mail/).fill(user.email);
  await page.getByLabel(/Contraseña|Password/).fill(user.password);
  await page.getByRole('button', { name: /Ingresar|Log in/ }).click();
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const number = (value: number): WorkbookCell => ({ number: String(value) });

const [, ...demoLines] = readFileSync('infra/local/demo/invoices-nadia.csv', 'utf8').trim().split('\n');
const systemAmounts = new Map(demoLines.map((line) => [line.split(',')[0], Number(line.split(',').at(-1))]));

/** Builds rows for invoices of nadia from an id on, with their system amounts. All go to review. */
function buildRows(firstId: number, count: number): WorkbookCell[][] {
  return Array.from({ length: count }, (_, index) => {
    const id = String(firstId + index);
    return [id, number(systemAmounts.get(id) ?? 0)];
  });
}

const headings = ['Factura', 'Importe neto'];

async function chooseFile(page: Page, rows: readonly (readonly WorkbookCell[])[], hidden: readonly number[] = []) {
  const buffer = buildWorkbook({ Agosto: { rows, hidden } });
  await page.locator('input[type=file]').setInputFiles({ name: 'agosto.xlsx', mimeType: '', buffer });
}

async function chooseAmountColumn(page: Page): Promise<void> {
  await page.getByLabel(/(Contenido de|Content of) Importe neto/).selectOption('amount');
}

async function declare(page: Page): Promise<void> {
  await button(page, /^(Declarar|Declare) [\d.,]+ /).click();
  await button(page, /^(Declarar|Declare)$/).click();
}

/** Returns the rows of the totals by outcome: their label and count. */
async function readTotals(page: Page): Promise<Record<string, string>> {
  const rows = await page.locator('section table tbody tr').all();
  const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
  return Object.fromEntries(cells.map(([label = '', count = '']) => [label, count]));
}

async function readRevision(id: string): Promise<string | null> {
  const portal = createPortalClient({ baseUrl: service.url, tenant, apiKey, email, password });
  return (await portal.getInvoice(id)).declaration_id;
}

/** Returns the violations of the accessibility rules of axe. */
async function listViolations(page: Page): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  // The policy of the page does not allow an inline script, but that of the debugger.
  await session.send('Runtime.evaluate', { expression: axe.source });
  return page.evaluate('axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))');
}

async function download(page: Page, name: RegExp) {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  const bytes = readFileSync(await file.path());
  return { name: file.suggestedFilename(), bytes, sheet: await readFirstSheet(bytes) };
}

/** Formats a cell of a workbook as the page shows it in Spanish. */
function showCell(cell: unknown): string {
  const { number: amount, date } = Object(cell) as { number?: string; date?: string };
  if (date !== undefined) return date;
  return amount === undefined ? String(cell) : formatAmount(Number(amount), 'es');
}

it('a clerk declares a sheet with titles, a total, another supplier and a hidden row; no state has an axe violation', async () => {
  const page = await openPage();
  expect(await listViolations(page)).toEqual([]);
  await logIn(page, { email: 'ana@demo.example', password: 'wrong' });
  await page.getByText('El correo o la contraseña no son válidos').waitFor();
  await page.getByLabel('Contraseña').fill(password);
  await button(page, 'Ingresar').click();
  await page.getByText('Elija o arrastre').waitFor();
  expect(await listViolations(page)).toEqual([]);
  const invoices = [
    ['9001', '1.050,00'],
    ['9009', '350,01'],
    ['9004', 'mil'],
    ['9003', '640,50'],
    ['9101', '500,00'],
    ['9005', '1,00'],
  ];
  await chooseFile(page, [['Facturas de agosto'], [], headings, ...invoices, ['Total', '2.541,51']], [9]);

  await page.getByText('Elija sobre las columnas de la tabla cuál contiene: Importe.').waitFor();
  expect(await listViolations(page)).toEqual([]);
  await chooseAmountColumn(page);
  await page.getByText('Filas con errores: 3.').waitFor();
  await page.getByRole('link', { name: 'B6' }).click();
  expect(await page.locator('#B6').innerText()).toContain('no es un importe');
  expect(await listViolations(page)).toEqual([]);
  await button(page, 'Omitir 3 filas con errores').click();

  await button(page, 'Verificar 4 facturas').click();
  await page.getByText('Verificado. Todavía no se declaró nada.').waitFor();
  expect(await readTotals(page)).toEqual({ 'Se aprobaría': '2', 'Iría a revisión': '1', Rechazada: '1', Total: '4' });
  expect(await listViolations(page)).toEqual([]);
  await page.getByLabel('Declarar solo lo que se aprobaría').check();
  await button(page, 'Declarar 2 facturas').click();
  await page.getByText('Se declararán 2 facturas por un total de 1.690,50.').waitFor();
  expect(await listViolations(page)).toEqual([]);
  await button(page, 'Cancelar').click();
  await declare(page);
  await page.getByText('Terminado.').waitFor();
  expect(await readTotals(page)).toEqual({ Aprobada: '2', 'Iría a revisión': '1', Rechazada: '1', Total: '4' });
  expect(await listViolations(page)).toEqual([]);

  const report = await download(page, /informe/);
  expect(report.name).toBe('agosto-informe.xlsx');
  const outcomes = report.sheet.rows.map(([, , , outcome]) => outcome);
  expect(outcomes).toEqual([
    'Resultado',
    ...['Aprobada', 'Iría a revisión', 'Omitida', 'Aprobada', 'Rechazada', 'Omitida', 'Omitida'],
  ]);
});

describe('the open invoices', () => {
  it('a clerk reads why invoices are rejected or adjusted, and downloads what the table shows', async () => {
    const page = await openPage();
    await logIn(page, { email: 'ana@demo.example', password });
    await button(page, 'Mostrar mis facturas').click();
    const { sheet, name } = await download(page, /Descargar estas/);
    expect(name).toBe('facturas-abiertas.xlsx');
    const table = page.getByRole('region', { name: 'Facturas abiertas' });
    const header = await table.locator('thead th').allInnerTexts();
    const rows = await table.locator('tbody tr').all();
    const cells = await Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
    const shownCells = cells.map((row) => row.map((cell) => cell.replace('¿Por qué?', '').trim()));
    expect(new Set(shownCells.map((row) => row[1]))).toEqual(new Set(['Pendiente', 'Rechazada', 'Ajustada']));
    expect(sheet.rows.map((row) => row.slice(0, header.length).map(showCell))).toEqual([header, ...shownCells]);

    let historyRequests = 0;
    page.on('request', (request) => void (historyRequests += Number(request.url().includes('/9006/history'))));
    const detail = table.locator('tr:has(table)');
    await button(page, '¿Por qué? 9006').press('Enter');
    await detail.waitFor();
    expect(await detail.locator('tbody tr').innerText()).toMatch(
      /Declarada\s+Rechazada\s+Falta el comprobante. El importe acordado es 420,00.\s+420,00\s+990,00\s+–/,
    );
    await button(page, '¿Por qué? 9006').press('Enter');
    await detail.waitFor({ state: 'detached' });

    // The first request fails. The second response has a message with HTML.
    const error = { code: 'NOT_FOUND', message: 'La factura no existe.' };
    await page.route('**/9007/history*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('Sin', '<b>Sin</b>') });
    });
    await page.route('**/9007/history*', (route) => route.fulfill({ status: 404, json: { success: false, error } }), {
      times: 1,
    });
    await button(page, '¿Por qué? 9007').click();
    await page.getByText('La factura no existe.').waitFor();
    expect(await listViolations(page)).toEqual([]);
    await button(page, '¿Por qué? 9007').click();
    await button(page, '¿Por qué? 9007').click();
    await detail.waitFor();
    expect(await detail.locator('tbody tr').first().innerText()).toMatch(/<b>Sin<\/b> el recargo nocturno\.\s.*900,00/);
    await button(page, '¿Por qué? 9006').click();
    await expect.poll(() => detail.count()).toBe(2);
    expect(historyRequests).toBe(1);
    expect(await listViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('the open invoices are downloaded, filled in and chosen again', async () => {
    const page = await openPage();
    await logIn(page);
    await button(page, 'Mostrar mis facturas').click();
    await page.getByText('La tabla muestra 300 de').waitFor();
    const { sheet } = await download(page, /Descargar estas/);
    const [header = [], first = []] = sheet.rows as string[][];
    const amountColumn = header.indexOf('Importe');
    await chooseFile(page, [
      header,
      first.with(amountColumn, '1.050,50').map((cell) => (typeof cell === 'string' ? cell : null)),
    ]);
    await button(page, 'Verificar 1 facturas').waitFor();
  });
});

describe('an interruption', () => {
  it('after a lost response and a lost connection, the run continues, and nothing is declared twice', async () => {
    const page = await openPage();
    await logIn(page);
    await chooseFile(page, [headings, ...buildRows(20_101, 250)]);
    await chooseAmountColumn(page);
    await button(page, 'Verificar 250 facturas').click();
    await page.getByText('Verificado.').waitFor();
    let batches = 0;
    await page.route('**/declare-batch', async (route) => {
      batches += 1;
      if (batches === 1) return route.continue();
      // The service saves the second batch, and its response is lost.
      if (batches === 2) await route.fetch();
      return route.abort('connectionreset');
    });
    await declare(page);
    await page.getByText('Se detuvo: El servicio no respondió').waitFor();
    const saved = await readRevision('20205');
    expect(await readTotals(page)).toMatchObject({ Desconocido: '100', Total: '250' });
    await page.unroute('**/declare-batch');
    await button(page, 'Continuar').click();
    await button(page, /^Declarar$/).click();
    await page.getByText('Terminado.').waitFor();
    expect(await readTotals(page)).toEqual({ 'Enviada a revisión': '250', Total: '250' });
    expect(await readRevision('20205')).toBe(saved);
  });

  it('the same file in a second visit declares nothing twice', async () => {
    const rows = [headings, ...buildRows(20_101, 100)];
    const before = await readRevision('20101');
    const page = await openPage();
    await logIn(page);
    await chooseFile(page, rows);
    await chooseAmountColumn(page);
    await button(page, /Verificar/).click();
    await declare(page);
    await page.getByText('Terminado.').waitFor();
    expect(await readRevision('20101')).toBe(before);
  });

  it('a run that the clerk stops continues', async () => {
    const page = await openPage();
    await logIn(page);
    await chooseFile(page, [headings, ...buildRows(20_401, 50)]);
    await chooseAmountColumn(page);
    await button(page, /Verificar/).click();
    await page.getByText('Verificado.').waitFor();
    let batches = 0;
    page.on('request', (request) => void (batches += Number(request.url().endsWith('/declare-batch'))));
    await page.route('**/declare-batch', () => {}, { times: 1 });
    await declare(page);
    await button(page, 'Detener').click();
    await page.getByText('Se detuvo: usted lo detuvo.').waitFor();
    await button(page, 'Continuar').click();
    // The key Escape declares nothing.
    await page.keyboard.press('Escape');
    await button(page, 'Continuar').click();
    await button(page, /^Declarar$/).click();
    await page.getByText('Terminado.').waitFor();
    expect(batches).toBe(2);
  });
});

it('the page reads the latest of two chosen files, even if the first is loaded later', async () => {
  const page = await openPage();
  await logIn(page);
  await page.getByText('Elija o arrastre').waitFor();
  await page.evaluate(`
    const load = File.prototype.arrayBuffer;
    File.prototype.arrayBuffer = async function () {
      const bytes = await load.call(this);
      if (this.size > 10000) await new Promise((resolve) => setTimeout(resolve, 1000));
      return bytes;
    };
  `);
  await chooseFile(page, [['Factura', 'Importe'], ...buildRows(20_101, 1000)]);
  await chooseFile(page, [['Factura', 'Importe'], ...buildRows(20_601, 2)]);
  await button(page, 'Verificar 2 facturas').waitFor();
  await page.waitForTimeout(1500);
  await button(page, 'Verificar 2 facturas').waitFor();
});

it('a phone shows the page in English without horizontal scrolling, and cells with HTML as text', async () => {
  const page = await openPage({ locale: 'en-US', viewport: { width: 390, height: 844 } });
  await logIn(page);
  const [row = []] = buildRows(20_601, 1);
  await chooseFile(page, [
    [...headings, '<img src=x onerror=alert(1)>'],
    [...row, '<script>alert(1)</script>'],
  ]);
  await chooseAmountColumn(page);
  await button(page, 'Check 1 invoices').waitFor();
  expect(await page.locator('td', { hasText: '<script>' }).count()).toBe(1);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await listViolations(page)).toEqual([]);
});

it('the keyboard alone is enough', async () => {
  const page = await openPage();
  const type = async (...texts: string[]) => {
    for (const text of texts) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
  };
  await page.getByLabel('Tenant').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await type(tenant, apiKey);
  await page.getByLabel('Correo').focus();
  await page.keyboard.type(email);
  await type(password);
  await page.getByText('Elija o arrastre').waitFor();
  await chooseFile(page, [['Factura', 'Importe'], ...buildRows(20_701, 2)]);
  for (const name of [/Verificar/, /^Declarar \d/, /^Declarar$/]) {
    await button(page, name).waitFor();
    for (let presses = 0; presses < 20; presses++) {
      if (
        name.test(
          String(await page.evaluate('document.activeElement.matches("button") && document.activeElement.innerText')),
        )
      )
        break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
  }
  await page.getByText('Terminado.').waitFor();
});

it('a file of 20,000 rows is read while the page reacts', async () => {
  const page = await openPage();
  await logIn(page);
  await page.getByText('Elija o arrastre').waitFor();
  const rows = Array.from({ length: 20_000 }, (_, index): WorkbookCell[] => [String(index + 1), number(index + 1)]);
  await chooseFile(page, [['Factura', 'Importe'], ...rows]);
  await page.getByText('Leyendo el archivo…').waitFor();
  // A blocked page would not answer.
  expect(await page.evaluate('new Promise((resolve) => setTimeout(() => resolve(1), 50))')).toBe(1);
  expect(await page.getByText('Leyendo el archivo…').isVisible()).toBe(true);
  await page.getByText('La tabla muestra 300 de 20.000 filas').waitFor();
});
