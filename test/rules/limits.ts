/** Limits of the request rate, the headers that tell of them, and limits of fields and parameters. */
export const limits = {
  'limits/sliding-window': 'The requests of the last 60 seconds are compared with the limit; an excess gives 429',
  'limits/per-user': 'Limits are per tenant and per user',
  'limits/read': 'list, detail and validate: 30 requests per 60 s, sliding, tracked apart from writes',
  'limits/write': 'declare and declare-batch: 10 requests per 60 s, sliding, tracked apart from reads',
  'limits/login': '5 failed attempts per 30 s; a block of 60 s',

  'rate-headers/X-RateLimit-Limit': 'On all responses: maximum of requests in the current window',
  'rate-headers/X-RateLimit-Remaining': 'On all responses: requests left in the window',
  'rate-headers/X-RateLimit-Reset': 'On all responses: Unix time in seconds when the window resets',
  'rate-headers/Retry-After': 'Seconds to wait, on 429 responses only',
  'rate-headers/login': 'The login endpoint on a 429 sends only Retry-After',

  'limits/date-range': 'Range of the list: at most 93 days',
  'limits/limit': 'limit of the list: 1 to 100, default 25',
  'limits/offset': 'offset of the list: default 0',
  'limits/search': 'search: 120 characters at most',
  'limits/declarations': 'Batch: 1 to 100 items',
  'limits/invoice_number': 'invoice_number: 60 characters at most',
  'limits/amount': 'amount: at least 0',
  'limits/tax_pct': 'tax_pct: 0 to 100',
  'limits/playerid': 'playerid: 200 characters at most',
  'limits/token-lifetime': 'Lifetime of a JWT: 1 hour',
};
