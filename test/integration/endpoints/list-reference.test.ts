import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { createInvoiceRows } from '../../../lib/storage/invoices/row-table.ts';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { createDayIndexes } from '../../../lib/services/day-indexes.ts';
import type { InvoiceLists } from '../../../lib/services/invoice-lists.ts';
import { createDayIndexTable } from '../../../lib/storage/invoices/day-index-table.ts';
import { readInvoicePage } from '../../../lib/services/invoice-pages.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { referenceList } from '../../support/data/reference-list.ts';
import { newId } from '../../support/data/seed.ts';
import { aDeclaration, anInvoice, CREATED_AT, seedInvoices } from '../../support/data/seed-invoices.ts';

const FIRST_DAY = Date.parse('2026-01-20T00:00:00.000Z');

const engine = useEngine();
let lists: InvoiceLists;
beforeAll(async () => {
  const rows = createInvoiceRows(engine.client, engine.tables.Invoices);
  const store = createDayIndexTable(engine.client, engine.tables.DayIndexes, systemClock);
  lists = { rows, indexes: createDayIndexes(rows, store, createLruCache(1_000_000)) };
});

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { freq: 4 });

// Few days, often the same, from January to May; the first and the last instant of a day more often than others.
const day = fc.oneof(fc.constantFrom(0, 1, 11, 12, 40, 41), fc.integer({ min: 0, max: 110 }));
const time = fc.oneof(fc.constantFrom(0, 1, 43_200_000, DAY_MS - 1), fc.integer({ min: 0, max: DAY_MS - 1 }));
const instant = fc.tuple(day, time).map(([days, ms]) => new Date(FIRST_DAY + days * DAY_MS + ms).toISOString());
const date = fc.oneof(
  instant,
  day.map((days) => new Date(FIRST_DAY + days * DAY_MS).toISOString().slice(0, 10)),
);

const texts = ['SRV-100', 'srv-20', 'Córdoba Ñandú', 'CORDOBA', 'Ärzte 7', 'FE-0007', '%_"', ''];
const invoices = fc.uniqueArray(
  fc.record({
    invoiceId: fc.oneof(
      fc.integer({ min: 1, max: 300 }).map(String),
      fc.bigInt({ min: 1n, max: 10n ** 20n - 1n }).map(String),
    ),
    invoiceDate: orNull(date),
    serviceCallDate: orNull(date),
    state: fc.constantFrom(...STATE_CODES),
    serviceNumber: orNull(fc.constantFrom(...texts)),
    accountName: orNull(fc.constantFrom(...texts)),
    declaration: orNull(fc.constant(aDeclaration())),
    providerInvoice: fc.record({ number: orNull(fc.constantFrom(...texts)), date: fc.constant(null) }),
  }),
  { selector: ({ invoiceId }) => invoiceId, maxLength: 70, size: 'max' },
);

const query = fc
  .record({
    ends: fc.tuple(date, date),
    state: orNull(fc.constantFrom(...STATE_CODES)),
    search: fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom('cordoba', 'ÑANDU', 'srv', '7', ' fe-0', '00', '%', 'ö', '  ', 'arzte') },
    ),
    limit: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 100 })),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 })),
  })
  .map(({ ends, ...rest }) => {
    const [start = '', end = ''] = ends.toSorted();
    return { range: rangeOf(start, end), ...rest };
  });

function rangeOf(start: string, end: string) {
  try {
    return parseDateRange(start, end);
  } catch {
    return parseDateRange(start, start.slice(0, 10));
  }
}

describe('a list', () => {
  it('gives the rows and the total of reading everything, filtering and sorting [list-invoices/rule-4]', async () => {
    let pagesWithRows = 0;
    const property = fc.asyncProperty(
      invoices,
      fc.array(query, { minLength: 12, maxLength: 12 }),
      async (records, queries) => {
        const scope = { tenant: 'list.example', supplierId: newId() };
        const seeded = await seedInvoices(
          engine,
          scope,
          records.map((record) => anInvoice(record)),
        );
        // A neighbour in the same table, whose invoices must never appear.
        await seedInvoices(engine, { ...scope, supplierId: `${scope.supplierId}0` }, [
          anInvoice({ invoiceDate: CREATED_AT }),
        ]);
        for (const asked of queries) {
          const { rows, total } = await readInvoicePage(lists, scope, asked);
          expect({ ids: rows.map(({ invoiceId }) => invoiceId), total }).toEqual(referenceList(seeded, asked));
          if (rows.length > 0) pagesWithRows++;
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
    expect(pagesWithRows).toBeGreaterThan(100);
  });
});
