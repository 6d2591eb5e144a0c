import type { Family } from '../mutant.ts';

const ENDPOINT = 'lib/endpoints/list-invoices.ts';
const PAGES = 'lib/services/invoice-pages.ts';
const RANGE = 'lib/domain/date-range.ts';
const ISO_DATE = 'lib/domain/iso-date.ts';
const SEARCH_TEXT = 'lib/domain/search-text.ts';
const SEARCHES = 'lib/services/search-invoices.ts';
const PARTS = 'lib/services/page-parts.ts';
const INDEXES = 'lib/services/day-indexes.ts';
const INDEX = 'lib/services/day-index.ts';
const LATER = 'lib/services/later-page.ts';
const ENTRY = 'lib/domain/list-entry.ts';
const ROWS = 'lib/storage/invoices/invoice-rows.ts';

/** Dates and ranges of dates. */
export const dateRanges: Family = {
  rules: [
    'list-invoices/startdate',
    'list-invoices/enddate',
    'list-invoices/rule-2',
    'list-invoices/rule-3',
    'limits/date-range',
    'codes/INVALID_DATE_RANGE/',
  ],
  mutants: [
    ['94 days are allowed', RANGE, 'MAX_RANGE_DAYS = 93', 'MAX_RANGE_DAYS = 94'],
    ['93 days are too many', RANGE, '> MAX_RANGE_DAYS * DAY_MS', '>= MAX_RANGE_DAYS * DAY_MS'],
    ['an end before its start is taken', RANGE, 'if (range.endMs < range.startMs)', 'if (range.endMs < 0)'],
    ['an end that is a date ends at its midnight', RANGE, 'end.epochMs + DAY_MS - 1', 'end.epochMs'],
    ['30 February is a date', ISO_DATE, ' && new Date(epochMs).toISOString().startsWith(text)', ''],
    ['zones are read the wrong way round', ISO_DATE, "(sign === '-' ? -1 : 1)", "(sign === '-' ? 1 : -1)"],
    [
      'the list ignores the dates',
      ENDPOINT,
      'const range = parseDateRange(startdate, enddate);',
      "parseDateRange(startdate, enddate);\n    const range = parseDateRange('2026-01-01', '2026-04-04');",
    ],
  ],
};

/** Filters, paging and order of the list. */
export const pages: Family = {
  rules: [
    'list-invoices/limit',
    'list-invoices/offset',
    'list-invoices/status',
    'list-invoices/search',
    'list-invoices/startdate',
    'list-invoices/rule-5',
    'meta/',
  ],
  mutants: [
    [
      'the list ignores the limit',
      ENDPOINT,
      "search: search ?? '', limit, offset }",
      "search: search ?? '', limit: 100, offset }",
    ],
    [
      'the list ignores the offset',
      ENDPOINT,
      "search: search ?? '', limit, offset }",
      "search: search ?? '', limit, offset: 0 }",
    ],
    ['the list ignores the status', ENDPOINT, 'state: status ?? null', 'state: null'],
    ['the list ignores the search', ENDPOINT, "search: search ?? ''", "search: ''"],
    ['a page has 20 rows by default', ENDPOINT, 'input.limit ?? 25', 'input.limit ?? 20'],
    ['a list skips a row by default', ENDPOINT, 'input.offset ?? 0', 'input.offset ?? 1'],
    ['the total is that of the page', ENDPOINT, 'total: page.total', 'total: page.rows.length'],
    [
      'the total ignores the status',
      PARTS,
      'wholeDays ? rows.dayCounts({ ...selection, range: wholeDays }) : []',
      'wholeDays ? rows.dayCounts({ ...selection, range: wholeDays, state: null }) : []',
    ],
    ['a search ignores the offset', SEARCHES, '.slice(search.offset, end)', '.slice(0, search.limit)'],
    ['the total of a search ignores it', SEARCHES, 'total: found.reduce(', 'total: days.reduce('],
    ['a search minds spaces around it', PAGES, 'search.trim()', 'search'],
    [
      'the account is not searched',
      SEARCH_TEXT,
      'invoice.serviceNumber, invoice.accountName,',
      'invoice.serviceNumber,',
    ],
    ['the invoice number is not searched', SEARCH_TEXT, 'invoice.providerInvoice.number, ', ''],
    ['a search minds accents', SEARCH_TEXT, ".replace(/\\p{M}/gu, '')", ''],
    ['a search minds case', SEARCH_TEXT, '.toLowerCase()', '.trim()'],
    ['the oldest come first', ROWS, 'ScanIndexForward: false', 'ScanIndexForward: true'],
    ['ids are ordered as text', ENTRY, "invoiceId.padStart(ID_DIGITS, '0')", 'invoiceId'],
  ],
};

/** What a list counts, and searches and late pages by the indexes of days. */
export const dayIndexes: Family = {
  rules: ['list-invoices/rule-4'],
  mutants: [
    ['parts of days are not counted', PARTS, '...partialDays.map(', '...partialDays.slice(1).map('],
    ['a search believes an old index', INDEXES, 'index?.fingerprint === day.fingerprint', 'index !== undefined'],
    ['an index ignores the ends of the range', SEARCHES, '.filter((place) => place >= first && place <= last)', ''],
    [
      'an index ignores the state',
      INDEX,
      'if (!state || states[position] === state) positions.push(position);\n    start',
      'positions.push(position);\n    start',
    ],
    ['what changes after the search is not noticed', SEARCHES, 'shown.length === hits.length &&', 'true ||'],
    ['a page believes an index though its rows moved', LATER, ' ? read : null', ' ? read : read'],
    [
      'two ids with zeros before them share a row',
      ENTRY,
      "invoiceId.startsWith('0') ? `${place}#${invoiceId}` : place",
      'place',
    ],
    [
      'another search text is no change',
      'lib/domain/list-entry.ts',
      '`${place}\\n${state}\\n${text}`',
      '`${place}\\n${state}`',
    ],
    [
      'an index is made of rows without their order',
      ROWS,
      "ProjectionExpression: 'sk, state_code, search_text'",
      "ProjectionExpression: 'sk, state_code, search_text', ScanIndexForward: true",
    ],
  ],
};
