import type { Rules } from './rule.ts';
import { functions, integration, unit } from './suites.ts';

const parallel = integration.rateLimit(
  'lets exactly 30 of 40 parallel reads and exactly 10 of 40 parallel writes pass',
);
const sliding = integration.rateLimit('slides: 30 reads at 0 s, refused at 59.9 s, allowed at 60 s');
const apart = integration.rateLimit('holds reads and writes apart');
const headers = integration.rateLimit('tells limit, remaining, reset and, when refused only, the seconds to wait');
const everywhere = [
  headers,
  unit.headers('are the content type, no-store, the request id and the rate on a success'),
  unit.headers('are the same on an error'),
];
const batchArray = functions.batch('rejects declarations that break %s');
const declareField = functions.declare('rejects %s that breaks %s: %j');
const declareBound = functions.declare('accepts %s at its bound: %j');
const listField = functions.list('rejects %s that breaks %s: %j');
const listBound = functions.list('accepts %s at its bound %i and reports it in meta');
const listed = functions.list('answers the rows of the range, the tolerance and the page');

/** Limits; the groups of other resource areas and the offset of reports are left out. */
export const limits: Rules = {
  'Request rate/sliding window': [
    'the count of requests in the last 60 seconds is compared with the limit, and an excess gives 429',
    sliding,
    integration.rateLimit('is no fixed window: of 15 reads at 0 s and 15 at 30 s, 15 come back at 60 s and 15 at 90 s'),
  ],
  'Request rate/read': ['30 requests, 60 s, sliding, tracked separately from writes', parallel, sliding, apart],
  'Request rate/write': ['10 requests, 60 s, sliding, tracked separately from reads', parallel, apart],
  'Request rate/login': [
    '5 failed attempts per 30 s; block 60 s',
    unit.guard('blocks a source for 60 s from its 5th failure within 30 s'),
    integration.guard('refuses 45 of 50 parallel wrong guesses with 429 RATE_LIMITED, which carries only Retry-After'),
    integration.guard('blocks for 60 s, every attempt: refused at 59.9 s, allowed at 60 s'),
    integration.guard('blocks only for 5 failures within 30 s'),
  ],
  'Response headers/X-RateLimit-Limit': ['Maximum requests in the current window', ...everywhere],
  'Response headers/X-RateLimit-Remaining': ['Requests left in the window', ...everywhere],
  'Response headers/X-RateLimit-Reset': ['Unix timestamp in seconds when the window resets', ...everywhere],
  'Response headers/Retry-After': [
    'Seconds to wait; only on 429 responses',
    headers,
    unit.headers('say when to retry, next to the rate, on a 429'),
  ],
  'Response headers/login': [
    'The login endpoint on a 429 sends only Retry-After',
    integration.guard('refuses 45 of 50 parallel wrong guesses with 429 RATE_LIMITED, which carries only Retry-After'),
  ],

  'Fields/date range': [
    'at most 93 days',
    unit.range('of exactly 93 days between its %s passes'),
    unit.range('that exceeds 93 days by %s is invalid'),
    functions.list('accepts a range of exactly 93 days'),
  ],
  'Fields/limit': ['1 to 100, default 25', listField, listBound, listed],
  'Fields/offset': ['default 0', listBound, listed],
  'Fields/search': ['max 120 characters', listField, functions.list('accepts the search %j')],
  'Fields/Batch declarations': ['1 to 100 items', batchArray, functions.batch('accepts 1 item and 100 items')],
  'Fields/invoice_number': ['max 60 characters', declareField, declareBound],
  'Fields/amount': ['>= 0', declareField, declareBound],
  'Fields/tax_pct': ['0 to 100', declareField, declareBound],
  'Fields/playerid': [
    'max 200 characters',
    functions.login('rejects %s that breaks %s: %j'),
    functions.login('accepts a playerid of 200 characters, and an empty one'),
  ],
  'Fields/JWT lifetime': ['1 hour', unit.token('is valid for an hour, and TOKEN_EXPIRED from then on')],
};
