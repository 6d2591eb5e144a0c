import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { declareInvoice, listInvoices } from '../../lib/contracts/validators.generated.js';
import { parseDateRange } from '../../lib/domain/date-range.ts';
import { openApi } from '../support/answers/contract-faults.ts';

const { paths, components } = JSON.parse(JSON.stringify(openApi));
const parameters = paths['/apidev/v1/supplier-portal/invoices'].get.parameters;
const findPattern = (name: string): string =>
  parameters.find((parameter: { readonly name?: string }) => parameter.name === name).schema.pattern;
const { Declaration, LegacyDeclaration, WSListarFacturasRequest } = components.schemas;

const isDeclarable = (date: string) => declareInvoice({ invoice_id: '1', amount: 1, invoice_date: date });
function isListable(date: string): boolean {
  try {
    parseDateRange(date, date);
    return listInvoices({ startdate: date, enddate: date });
  } catch {
    return false;
  }
}

const fields = [
  { field: 'startdate and enddate', pattern: findPattern('startdate'), isAccepted: isListable },
  { field: 'invoice_date', pattern: Declaration.properties.invoice_date.pattern, isAccepted: isDeclarable },
];

/** True if the month has the day, and the date is in the years 0 to 9999 in every zone. */
function isOnCalendar(text: string): boolean {
  const [year = 0, month = 1, day = 1] = text.slice(0, 10).split('-').map(Number);
  const leapDays = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  const lastDay = month === 2 ? leapDays : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= lastDay && !/^(0000-01-01|9999-12-31)T/.test(text);
}

it.each(fields)(
  'the documented pattern of $field matches only dates that the service accepts, except for the calendar',
  ({ pattern, isAccepted }) => {
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(pattern)), (text) => {
        if (text === '' || isOnCalendar(text)) expect(isAccepted(text), text).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  },
);

// Each part matches more than the same part of the documented pattern.
const day = String.raw`\d{4}-[01]\d-[0-3]\d`;
const time = String.raw`[Tt ][0-2]\d:[0-6]\d(:[0-6]\d([.,]\d{1,10})?)?([Zz]|[+-][0-2]\d(:?[0-6]\d)?)?`;
const dates = fc.stringMatching(new RegExp(`^(${day}(${time})?)?[ \n]?$`));
it.each(fields)(
  'the documented pattern of $field matches every date that the service accepts',
  ({ pattern, isAccepted }) => {
    const documented = new RegExp(pattern);
    fc.assert(
      fc.property(dates, (text) => {
        if (isAccepted(text)) expect(text).toMatch(documented);
      }),
      { numRuns: 5_000, examples: [['2024-02-29T23:59:59,123456789+23:59']] },
    );
  },
);

it('the documented patterns are the same for both ends of a range, and on the legacy route', () => {
  const { FechaDesde, FechaHasta } = WSListarFacturasRequest.properties;
  expect([findPattern('enddate'), FechaDesde.pattern, FechaHasta.pattern]).toEqual(
    Array(3).fill(findPattern('startdate')),
  );
  expect(LegacyDeclaration.properties.FechaFactura.pattern).toBe(Declaration.properties.invoice_date.pattern);
});
