import type { Family } from '../mutant.ts';

const RESPONSE = 'lib/http/response.ts';
const BODY = 'lib/http/read-body.ts';
const HEADERS = 'lib/http/answer-headers.ts';
const STATUSES = 'lib/contracts/statuses.ts';
const DETAILS = 'lib/http/validation-details.ts';
const FIELDS = 'lib/contracts/fields.ts';
const LIST = 'lib/contracts/list-invoices.ts';
const DECLARE = 'lib/contracts/declare-invoice.ts';
const BATCH = 'lib/contracts/declare-batch.ts';
const WIRE = 'lib/contracts/wire.ts';
const BATCH_ENDPOINT = 'lib/endpoints/declare-batch.ts';
const LANGUAGE = 'lib/http/preferred-language.ts';
const WRITER = 'lib/services/declaration-writer.ts';

/** The envelope and the headers. */
export const envelopes: Family = {
  rules: ['envelope/', 'error-envelope/', 'errors/rule-3', 'common/request-id', 'rate-headers/'],
  mutants: [
    ['meta is missing', RESPONSE, 'meta: meta ?? {}', 'meta'],
    ['an error is a success', RESPONSE, 'success: false,', 'success: true,'],
    ['an error has data', RESPONSE, 'success: false,', 'success: false, data: {},'],
    ['details are left out', RESPONSE, '...(details && {', '...(!code && {'],
    ['answers are plain text', RESPONSE, "'Content-Type': 'application/json'", "'Content-Type': 'text/plain'"],
    ['the type of an answer may be guessed', HEADERS, "  'X-Content-Type-Options': 'nosniff',\n", ''],
    ['HTTPS is for no time', HEADERS, 'max-age=31536000', 'max-age=0'],
    ['there is no request id', RESPONSE, "      'X-Request-Id': requestId,\n", ''],
    [
      'the request id is always the same',
      'lib/http/response-shell.ts',
      'const { requestId } = event.requestContext;',
      "const requestId = '00000000-0000-4000-8000-000000000000';",
    ],
    [
      'the client makes the request id',
      'lib/http/response-shell.ts',
      'const { requestId } = event.requestContext;',
      "const requestId = event.headers['x-request-id'] ?? event.requestContext.requestId;",
    ],
    ['remaining is the limit', RESPONSE, 'rate.remaining.toString()', 'rate.limit.toString()'],
    ['the reset is in milliseconds', RESPONSE, 'rate.resetAt.toString()', '(rate.resetAt * 1000).toString()'],
    ['errors have no rate headers', RESPONSE, '...(rate && {', '...(rate && status === 200 && {'],
    ['a 429 does not say when to retry', RESPONSE, "{ 'Retry-After': retryAfterSeconds.toString() }", '{}'],
    ['every answer says when to retry', RESPONSE, 'retryAfterSeconds !== undefined && {', '{'],
    ['a blocked login shows its rate', 'lib/http/login-block.ts', '      state.rate = null;\n', ''],
    [
      'a failed login shows nothing of the guard',
      'lib/endpoints/login.ts',
      '      request.rate = checked.guard;\n',
      '',
    ],
    ['only the first fault is named', DETAILS, 'return [...faults].map(', 'return [...faults].slice(0, 1).map('],
    [
      'a property has one constraint',
      DETAILS,
      'const constraints = faults.get(property) ?? {};',
      'const constraints = {};',
    ],
  ],
};

/** In which language the messages are. */
export const languages: Family = {
  rules: ['error-envelope/message'],
  mutants: [
    ['Spanish is the default', LANGUAGE, "?? 'en'", "?? 'es'"],
    [
      'the first language that is named is taken',
      LANGUAGE,
      '.toSorted((one, other) => other.quality - one.quality)',
      '',
    ],
    ['a region is another language', LANGUAGE, "tag.split('-')[0] === language", 'tag === language'],
    ['what is refused is given', LANGUAGE, ' && !refused.has(language)', ''],
    ['any language is also one that is named', LANGUAGE, '!named.has(language)', 'language'],
    ['details are in English', RESPONSE, '[name, text[language]]', '[name, text.en]'],
    ['messages are in English', RESPONSE, 'message: text[language]', 'message: text.en'],
    ['items of a batch are in English', WIRE, 'text[language] }', 'text.en }'],
    ['faults of items are in English', WIRE, 'constraint[language]', 'constraint.en'],
    [
      'only the last header is read',
      'lib/http/headers.ts',
      'flatMap(([, values = []]) => values)',
      'flatMap(([, values = []]) => values.slice(-1))',
    ],
  ],
};

/** The status of each code. */
export const statuses: Family = {
  rules: [
    'codes/VALIDATION_ERROR',
    'codes/INVALID_DATE_RANGE',
    'codes/UNAUTHORIZED',
    'codes/TOKEN_EXPIRED',
    'codes/FORBIDDEN',
    'codes/COMPANY_SUSPENDED',
    'codes/NOT_FOUND',
    'codes/RATE_LIMITED',
    'codes/INTERNAL_ERROR',
    'codes/SERVICE_UNAVAILABLE',
  ],
  mutants: [
    ['an expired token is 403', STATUSES, 'TOKEN_EXPIRED: 401', 'TOKEN_EXPIRED: 403'],
    ['a suspended company is 401', STATUSES, 'COMPANY_SUSPENDED: 403', 'COMPANY_SUSPENDED: 401'],
    ['a bad range is 422', STATUSES, 'INVALID_DATE_RANGE: 400', 'INVALID_DATE_RANGE: 422'],
    ['too many requests are 503', STATUSES, 'RATE_LIMITED: 429', 'RATE_LIMITED: 503'],
  ],
};

/** What the schemas allow. */
export const inputs: Family = {
  rules: [
    'limits/limit',
    'limits/search',
    'limits/declarations',
    'limits/invoice_number',
    'limits/amount',
    'limits/tax_pct',
    'limits/playerid',
    'list-invoices/rule-1',
    'list-invoices/status',
    'declare-invoice/',
    'declare-batch/rule-2',
    'validate-amount/amount',
    'login/password',
  ],
  mutants: [
    ['a page may have 1,000 rows', LIST, 'maximum: 100', 'maximum: 1000'],
    ['a page may have no rows', LIST, 'minimum: 1,', 'minimum: 0,'],
    ['a search may have 121 characters', LIST, 'maxLength: 120', 'maxLength: 121'],
    ['any text is a status', LIST, 'enum: [...STATE_CODES, null], ', ''],
    ['a list needs no start', LIST, "required: ['startdate', 'enddate']", "required: ['enddate']"],
    ['an amount may be negative', FIELDS, "type: 'number',\n  minimum: 0,", "type: 'number',\n  minimum: -1,"],
    ['an invoice number may have 61 characters', DECLARE, 'maxLength: 60', 'maxLength: 61'],
    ['a tax may be 101 percent', DECLARE, 'maximum: 100', 'maximum: 101'],
    ['any text is an invoice date', DECLARE, "      format: 'iso8601OrEmpty',\n", ''],
    ['a declaration needs no amount', DECLARE, "required: ['invoice_id', 'amount']", "required: ['invoice_id']"],
    ['a batch may have 101 items', BATCH, 'MAX_DECLARATIONS = 100', 'MAX_DECLARATIONS = 101'],
    ['a batch may be empty', BATCH, 'minItems: 1', 'minItems: 0'],
    [
      'a check needs no amount',
      'lib/contracts/validate-amount.ts',
      "required: ['invoice_id', 'amount']",
      "required: ['invoice_id']",
    ],
    ['a player id may have 201 characters', 'lib/contracts/login.ts', 'maxLength: 200', 'maxLength: 201'],
    ['a login needs no password', 'lib/contracts/login.ts', "required: ['email', 'password']", "required: ['email']"],
  ],
};

/** How a body is read. */
export const bodies: Family = {
  rules: ['common/content-type', 'login/content-type', 'error-envelope/always-details'],
  mutants: [
    [
      'any content type is taken',
      BODY,
      "mediaTypeOf(request.event) !== 'application/json'",
      'mediaTypeOf(request.event) === undefined',
    ],
    [
      'any kind of JSON is taken',
      BODY,
      "mediaTypeOf(request.event) !== 'application/json'",
      '!/json$/.test(mediaTypeOf(request.event))',
    ],
    ['the parser judges the header', BODY, '{ disableContentTypeCheck: true }', '{}'],
    [
      'malformed JSON has no details',
      BODY,
      "return faultOf('body', 'json', texts.notJson)",
      "return Object.assign(faultOf('body', 'json', texts.notJson), { details: undefined })",
    ],
    ['a reserved key is malformed JSON', BODY, 'if (message === undefined) ', 'if (data === undefined) '],
  ],
};

/** The answer to a batch. */
export const batches: Family = {
  rules: ['declare-batch/', 'errors/rule-5', 'service/declare'],
  mutants: [
    [
      'accepted and rejected change places',
      BATCH_ENDPOINT,
      'accepted,\n        rejected: results.length - accepted',
      'accepted: results.length - accepted,\n        rejected: accepted',
    ],
    ['results come the other way round', BATCH_ENDPOINT, 'results: results.map(', 'results: results.toReversed().map('],
    [
      'an item takes its half with it',
      WRITER,
      'if (!only || others.length > 0) return writeParts',
      'if (!only) return writeParts',
    ],
    ['a refused write is an unknown one', WRITER, 'if (cause instanceof NothingWritten)', 'if (cause === null)'],
    ['a failed item has no code', WIRE, 'error: { code, message:', "error: { code: 'INTERNAL_ERROR', message:"],
    [
      'a failed item is a success',
      WIRE,
      'invoice_id: invoiceId, success: false',
      'invoice_id: invoiceId, success: true',
    ],
    ['a declared item has no result', WIRE, 'success: true, ...toDeclarationResult(result)', 'success: true'],
  ],
};
