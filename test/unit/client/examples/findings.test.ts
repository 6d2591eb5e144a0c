import { describe, expect, it } from 'vitest';
import { describeFindings } from '../../../../lib/client/examples/declare-csv/findings.ts';
import type { HeadingChoice } from '../../../../lib/client/examples/declare-csv/headings.ts';
import { parseInvoices } from '../../../../lib/client/examples/declare-csv/parse-invoices.ts';

const found = (text: string | Buffer, language: 'en' | 'es' = 'en', choice?: HeadingChoice) =>
  describeFindings(parseInvoices(Buffer.from(text), choice).findings, language);

describe('what was found in a file is said', () => {
  it('in both languages', () => {
    const bytes = Buffer.from('Factura;Importe;Fecha;Señas\n1;1.050,00;31/8/2026;x\n', 'latin1');
    const choice = { map: [], ignore: ['Señas'] };
    expect(found(bytes, 'en', choice)).toEqual([
      'Read as Windows-1252, separated by semicolons, decimal comma, points between thousands, dates day/month/year.',
      'invoice_id from "Factura", amount from "Importe", invoice_date from "Fecha", "Señas" left out.',
    ]);
    expect(found(bytes, 'es', choice)).toEqual([
      'Leído como Windows-1252, separado por punto y coma, coma decimal, puntos de miles, fechas día/mes/año.',
      'invoice_id de "Factura", amount de "Importe", invoice_date de "Fecha", se omite "Señas".',
    ]);
  });

  it.each([
    ['invoice_id,amount\n1,5\n', 'Read as UTF-8, separated by commas.'],
    ['invoice_id,amount,\n1,5.5,\n', 'Read as UTF-8, separated by commas, decimal point.'],
    ['invoice_id\tamount\n1\t5,5\n', 'Read as UTF-8, separated by tabs, decimal comma.'],
    ['invoice_id;amount\n1;5,5\n2;5.5\n', 'Read as UTF-8, separated by semicolons, decimal comma, decimal point.'],
    ['invoice_id;amount\n1;1.050\n', 'Read as UTF-8, separated by semicolons.'],
    ['invoice_id;amount\n1;$ 1.050\n', 'Read as UTF-8, separated by semicolons.'],
  ])('and nothing else (%j)', (text, sentence) => {
    expect(found(text)).toEqual([sentence]);
  });
});
