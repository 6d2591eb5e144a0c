import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPosition, buildPositionBounds, buildSearchText, parseOwnNumber } from '../../../lib/domain/list-entry.ts';
import { buildDeclaration, buildInvoice } from '../../support/data/seed-invoices.ts';
import { proves } from '../../rules/proves.ts';

describe('the position of an invoice', () => {
  const sortDate = '2026-03-15T10:00:00.000Z';
  const id = fc.stringMatching(/^[0-9]{1,20}$/);

  it('buildPosition returns a unique position that sorts the invoices of a date by numeric id', () => {
    proves('list-invoices/rule-4');
    fc.assert(
      fc.property(id, id, (one, other) => {
        const [position, otherPosition] = [one, other].map((invoiceId) => buildPosition({ sortDate, invoiceId }));
        expect(position === otherPosition).toBe(one === other);
        if (BigInt(one) !== BigInt(other)) expect(position! < otherPosition!).toBe(BigInt(one) < BigInt(other));
      }),
      { examples: [['10000000000000000002', '7']] },
    );
    expect(buildPosition({ sortDate, invoiceId: '7' })).not.toBe(buildPosition({ sortDate, invoiceId: '007' }));
  });

  it('buildPositionBounds includes the position of an invoice only if the range includes its date', () => {
    const position = buildPosition({ sortDate, invoiceId: '7' });
    const isBetween = (from: string, to: string) => {
      const { first, last } = buildPositionBounds({ startMs: Date.parse(from), endMs: Date.parse(to) });
      return first <= position && position <= last;
    };
    expect(isBetween(sortDate, sortDate)).toBe(true);
    expect(isBetween('2026-03-15T10:00:00.001Z', '2026-03-16T00:00:00.000Z')).toBe(false);
    expect(isBetween('2026-03-14T00:00:00.000Z', '2026-03-15T09:59:59.999Z')).toBe(false);
  });
});

const invoice = buildInvoice({
  invoiceId: '1001',
  serviceNumber: 'SRV-501',
  accountName: 'Transportes Córdoba',
  declaration: buildDeclaration({ notes: 'hidden note' }),
  providerInvoice: { number: 'FAC-Ñ-7', date: '2026-07-01' },
});

describe('buildSearchText', () => {
  it('buildSearchText returns only service number, account name, provider invoice number and invoice id', () => {
    const lines = buildSearchText(invoice).split('\n');
    expect(lines).toEqual(['srv-501', 'transportes cordoba', 'fac-n-7', '1001']);
  });

  it('buildSearchText omits the fields that are null', () => {
    const blank = { serviceNumber: null, accountName: null, providerInvoice: { number: null, date: null } };
    expect(buildSearchText({ ...invoice, ...blank }).trim()).toBe('1001');
  });

  it.each([
    ['A–0001', 'a-0001'],
    [' Á-0001\n', 'a-0001'],
    ['\u00ad ', ''],
    [null, ''],
  ])('parseOwnNumber returns the folded own invoice number of a search text: %j', (number, folded) => {
    expect(parseOwnNumber(buildSearchText({ ...invoice, providerInvoice: { number, date: null } }))).toBe(folded);
  });
});
