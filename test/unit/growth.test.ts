import { expect, it } from 'vitest';
import { STAGES } from '../../infra/stages.ts';
import { DAY_PARTITIONS } from '../../lib/tables/keys.ts';
import { readSection } from '../support/guides/readme.ts';

const SIZES = [10, 10_000, 1_000_000];
const INVOICES_A_YEAR = 1_200;
// An invoice with its history.
const INVOICE_BYTES = 3 * 1024;

/** Reads the cells of a row of a table in infra/scale.md or infra/README.md. */
function readCells(section: string, name: string): string[] {
  const row = section.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
  return row
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
}

const [listUnits] = readCells(readSection('infra/scale.md', 'Invoices of one supplier'), 'read units, a page of 25');
// The read units of a list of 300 invoices.
const LIST_UNITS = Number(listUnits);

/** Computes the use in the busiest second of a month's end from the assumptions in infra/scale.md. */
function computeUse(suppliers: number) {
  const busiestShare = 2 / (6 * 3600);
  const declarations = ((suppliers * 100) / 3) * busiestShare;
  const singles = declarations / 2;
  const batches = declarations / 2 / 25;
  const logins = suppliers * busiestShare;
  const lists = 2 * logins;
  const authorizedRequests = lists + 3 * singles + batches;
  return {
    declarations,
    logins,
    requests: logins + authorizedRequests,
    authorizedRequests,
    functions: 0.15 * (logins + batches) + 0.06 * (lists + singles) + 0.03 * 2 * singles,
    // The tenant, company, user, supplier and API key; a login also reads the name, and reads no API key.
    directoryReads: 5 * authorizedRequests + 6 * logins,
    // Company, user and supplier have the same partition; a login also reads the name.
    partitionReads: 3 * authorizedRequests + 4 * logins,
    // All requests except a list read each of their invoices.
    invoiceReads: LIST_UNITS * lists + 2 * singles + declarations,
    writes: 4 * declarations,
    indexWrites: (2 * declarations) / DAY_PARTITIONS,
  };
}

/** Formats a figure as the guide does. */
function format(value: number): string {
  const digits = value >= 100 ? 0 : value >= 1 ? 1 : value >= 0.01 ? 2 : 3;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

it('the guide shows the use of 10, 10,000 and 1,000,000 suppliers', () => {
  const section = readSection('infra/scale.md', '10, 10,000 and 1,000,000 suppliers');
  const uses = SIZES.map(computeUse);
  const expectRow = (name: string, values: readonly number[]) =>
    expect(readCells(section, name)).toEqual(values.map(format));
  expectRow(
    'requests',
    uses.map(({ requests }) => requests),
  );
  expectRow(
    'declarations',
    uses.map(({ declarations }) => declarations),
  );
  expectRow(
    'write units of Invoices, and of Declarations',
    uses.map(({ writes }) => writes),
  );
  expectRow(
    'read units of Directory',
    uses.map(({ directoryReads }) => directoryReads),
  );
  expectRow(
    'read units of Invoices',
    uses.map(({ invoiceReads }) => invoiceReads),
  );
  expectRow(
    'functions that run',
    uses.map(({ functions }) => functions),
  );
  const gigabytes = SIZES.map((suppliers) => (suppliers * INVOICES_A_YEAR * INVOICE_BYTES) / 2 ** 30);
  expectRow('GB after a year', gigabytes);
  expectRow(
    'partitions of 10 GB, at least',
    gigabytes.map((size) => Math.ceil(size / 10)),
  );
});

it('the guide extrapolates the costs of 100 and 10,000 suppliers', () => {
  const section = readSection('infra/scale.md', '10, 10,000 and 1,000,000 suppliers');
  const [few = Number.NaN, many = Number.NaN] = readCells(readSection('infra/README.md', 'Costs'), '**total**').map(
    Number,
  );
  const costs = SIZES.map((suppliers) => few + ((many - few) / 9_900) * (suppliers - 100));
  expect(readCells(section, 'US$ a month')).toEqual(
    costs.map((cost) => (cost < 1000 ? cost.toFixed(2) : format(cost))),
  );
});

it('the guide shows the number of suppliers that reaches each limit', () => {
  const section = readSection('infra/scale.md', 'The limits').replaceAll(/\s+/g, ' ');
  const use = computeUse(100_000);
  for (const [name, used, limit] of [
    ['Stage', use.requests, STAGES.prod.throttling.requestsPerSecond],
    ['Companies, users, suppliers of one tenant', use.partitionReads, 3_000],
    ['New tables', use.writes, 4_000],
    ['Logins', use.logins, STAGES.prod.methodThrottling.login.requestsPerSecond],
    ['Tenant', use.requests, 3_000],
    ['API key', use.authorizedRequests, 3_000],
    ['Index `changes` of one tenant', use.indexWrites, 1_000],
    ['reads of Directory', use.directoryReads, 40_000],
    ['API Gateway', use.requests, 10_000],
    ['reads of Invoices', use.invoiceReads, 40_000],
    ['writes of Invoices and Declarations', use.writes, 40_000],
    ['Lambda', use.functions, 1_000],
    ['writes of RateCounters', use.requests, 40_000],
  ] as const) {
    const suppliers = format((100_000 * limit) / used / 1_000);
    expect(section).toMatch(new RegExp(`${name}:? ?${suppliers},000`));
    expect(section).toContain(format(used));
  }
});
