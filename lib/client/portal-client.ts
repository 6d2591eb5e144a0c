import { checkOptions } from './check-options.ts';
import { createIgnoredFieldsWarning } from './ignored-fields.ts';
import { DAY_MS, listRanges } from './list-ranges.ts';
import type * as portal from './portal-data.generated.ts';
import { REQUEST_LIMITS, RESPONSE_SHAPES as shapes } from './portal-data.generated.ts';
import { readResponse, type ResponseShape, type Success } from './responses.ts';
import { wait as defaultWait, type Wait, withRetries } from './retries.ts';
import { createSession } from './session.ts';
import { type Fetch, type PortalRequest, type Reply, sendRequest } from './transport.ts';

/** A language of the service's error messages. */
export type Language = 'en' | 'es';

/** The options of `createPortalClient`: the address of the service, the credentials and settings. */
export interface PortalClientOptions {
  /** The address in front of `/apidev`, such as `https://portal.example`; `http://` is for this machine only. */
  readonly baseUrl: string;
  /** The tenant that you were given at onboarding. */
  readonly tenant: string;
  /** The API key of the company. */
  readonly apiKey: string;
  /** The e-mail of the user who calls. */
  readonly email: string;
  readonly password: string;
  /** The push-notification player id to register for the user with each login. */
  readonly playerid?: string | undefined;
  /** The function that sends requests; by default the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined;
  /** The function with which the client waits; by default the exported `wait`. */
  readonly wait?: Wait | undefined;
  /** The timeout of each response; by default 30 seconds, which is longer than the gateway's timeout of 29 seconds. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of attempts of each call and of each login after temporary failures; by default 5. */
  readonly maxAttempts?: number | undefined;
  /** The language of the service's error messages; by default English. */
  readonly language?: Language | undefined;
}

/** A page of a list. */
export interface InvoicePage extends portal.InvoiceList, portal.PageMeta {}

/** A page of the history of an invoice. */
export interface HistoryPage extends portal.PageMeta {
  readonly entries: readonly portal.HistoryEntry[];
}

/** The status and the request id of a response. */
export interface ResponseInfo {
  readonly status: number;
  /** The id with which the operators find the request; null if the response has none. */
  readonly requestId: string | null;
  /** The number of requests that the call has sent so far, including requests without a response. */
  readonly attempts: number;
}

/** The options of a call, which are the last argument of every method. */
export interface CallOptions {
  /** Ends the call at once, also during a wait. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives every response to the call in order, including a response after which the call is retried. Responses to
   * logins are not included, because several calls share a login.
   * @example
   * const onResponse = ({ status, requestId, attempts }: ResponseInfo) => console.log(status, requestId, attempts);
   * await portal.declareInvoice(declaration, { onResponse });
   */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
}

/** The options of `changesSince`. */
export interface ChangesOptions extends CallOptions {
  /** The date of the oldest invoices that can be found, by default one year before now. The latest date is tomorrow. */
  readonly startdate?: string | undefined;
}

/**
 * The endpoints of the service. A method logs in if needed, and retries after a temporary error. If the service
 * throttles a call, the client waits for Retry-After (up to 120 s). A method throws a PortalError if its retries fail.
 */
export interface PortalClient {
  /** Logs in if the client has no token yet, to find out early whether the credentials are valid. */
  login(options?: Pick<CallOptions, 'signal'>): Promise<void>;
  /** Returns a page of the invoices of a date range (see REQUEST_LIMITS), newest first. */
  listInvoices(query: portal.InvoiceQuery, options?: CallOptions): Promise<InvoicePage>;
  /**
   * Yields every row of a list once, even if other rows enter or leave the list meanwhile; `limit` is the page size.
   * @example
   * const quarter = { startdate: '2026-06-01', enddate: '2026-08-31' };
   * const pending = await Array.fromAsync(portal.eachInvoice({ ...quarter, status: 'PEN' }));
   */
  eachInvoice(
    query: Omit<portal.InvoiceQuery, 'offset'>,
    options?: CallOptions,
  ): AsyncGenerator<portal.InvoiceRow, void>;
  /**
   * Yields once every invoice that has changed since a time, which is a Date or a text with a zone. A change becomes
   * visible up to 20 seconds after its time. Therefore the client lists the changes since one minute before the time,
   * and the next call can yield an invoice again. Pass the time just before the previous call that has yielded all of
   * its invoices. The clock of this machine can be up to 30 seconds ahead.
   * @example
   * const startedAt = new Date();
   * for await (const invoice of portal.changesSince(lastRun)) console.log(invoice.invoice_id, invoice.state_code);
   * lastRun = startedAt;
   */
  changesSince(time: Date | string, options?: ChangesOptions): AsyncGenerator<portal.InvoiceRow, void>;
  /** Returns an invoice with its line items. */
  getInvoice(invoiceId: string, options?: CallOptions): Promise<portal.InvoiceDetail>;
  /**
   * Returns a page of the changes of an invoice, newest first: why it was rejected, which amount is paid, and when.
   * @example
   * const { entries } = await portal.getHistory('9006', { limit: 1 });
   * console.log(entries[0]?.state_code, entries[0]?.message);
   */
  getHistory(invoiceId: string, page?: Omit<portal.HistoryQuery, 'id'>, options?: CallOptions): Promise<HistoryPage>;
  /** Returns the result that declaring an amount would have; nothing is saved. */
  validateAmount(amount: portal.AmountToCheck, options?: CallOptions): Promise<portal.AmountCheck>;
  /**
   * Declares an amount, or changes the declaration: an optional property that is omitted keeps its value.
   * @example
   * const { tolerance } = await portal.declareInvoice({ invoice_id: '9001', amount: 1050, invoice_number: 'A-1' });
   * console.log(tolerance.action); // AUTO_APPROVE or REVIEW
   */
  declareInvoice(declaration: portal.Declaration, options?: CallOptions): Promise<portal.DeclarationResult>;
  /**
   * Declares amounts independently of each other. The results contain one entry per item, in the same order; a rejected
   * item has an error. Throws if the batch is empty or too long (see DECLARATION_LIMITS); then nothing is saved.
   * @example
   * const { results } = await portal.declareBatch([{ invoice_id: '9001', amount: 1050 }]);
   * for (const item of results) if (!item.success) console.log(item.invoice_id, item.error.message);
   */
  declareBatch(declarations: readonly portal.Declaration[], options?: CallOptions): Promise<portal.BatchResult>;
}

const LOGIN = '/apidev/v1/login';
const INVOICES = '/apidev/v1/supplier-portal/invoices';

/**
 * Creates a client, which sends nothing until a method is called. Throws a TypeError with the name of an option that is
 * empty or invalid, such as a `baseUrl` that is neither https:// nor http:// on this machine.
 * @example
 * const portal = createPortalClient({ baseUrl: 'https://portal.example', tenant, apiKey, email, password });
 * const { rows, total } = await portal.listInvoices({ startdate: '2026-06-01', enddate: '2026-08-31' });
 */
export function createPortalClient(clientOptions: PortalClientOptions): PortalClient {
  checkOptions(clientOptions);
  const { buildGet, buildPost, session, call } = createConnection(clientOptions);
  const listInvoices: PortalClient['listInvoices'] = async (query, options) => {
    const request = buildGet(`${INVOICES}?${formatQuery(query)}`);
    const page = await call<portal.InvoiceList, portal.PageMeta>(request, shapes.listInvoices, options);
    return { ...page.data, ...page.meta };
  };
  const eachInvoice: PortalClient['eachInvoice'] = (query, options) =>
    iterateRows((page) => listInvoices(page, options), query, options?.signal);
  const callForData = async <Data>(...args: Parameters<typeof call>): Promise<Data> => (await call<Data>(...args)).data;

  return {
    login: async ({ signal } = {}) => void (await session.getToken(signal)),
    listInvoices,
    eachInvoice,
    changesSince: (time, options) => iterateChanges(eachInvoice, time, options),
    getInvoice: async (invoiceId, options) =>
      callForData(buildGet(`${INVOICES}/${encodeURIComponent(invoiceId)}`), shapes.getInvoice, options),
    getHistory: async (invoiceId, page = {}, options) => {
      const request = buildGet(`${INVOICES}/${encodeURIComponent(invoiceId)}/history?${formatQuery(page)}`);
      const history = await call<portal.HistoryEntry[], portal.PageMeta>(request, shapes.getHistory, options);
      return { entries: history.data, ...history.meta };
    },
    validateAmount: (amount, options) =>
      callForData(buildPost(`${INVOICES}/validate`, amount), shapes.validateAmount, options),
    declareInvoice: (declaration, options) =>
      callForData(buildPost(`${INVOICES}/declare`, declaration), shapes.declareInvoice, options),
    declareBatch: (declarations, options) =>
      callForData(buildPost(`${INVOICES}/declare-batch`, { declarations }), shapes.declareBatch, options),
  };
}

/** Creates what all endpoints share: the builders of requests, the session, and calls with their retries. */
function createConnection(options: PortalClientOptions) {
  const { baseUrl, tenant, apiKey, email, password, playerid, language } = options;
  const { fetch = globalThis.fetch, wait = defaultWait, timeoutMs = 30_000, maxAttempts = 5 } = options;
  const base = baseUrl.replace(/\/+$/, '');
  const headers = language ? { tenant, 'Accept-Language': language } : { tenant };
  const buildGet = (path: string): PortalRequest => ({ method: 'GET', url: base + path, headers });
  const buildPost = (path: string, body: object): PortalRequest => ({
    method: 'POST',
    url: base + path,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

  const warnOfIgnoredFields = createIgnoredFieldsWarning();
  const send = async (request: PortalRequest, signal: AbortSignal | undefined): Promise<Reply> => {
    const reply = await sendRequest(fetch, request, { timeoutMs, signal });
    if ('headers' in reply) warnOfIgnoredFields(reply.headers);
    return reply;
  };
  const session = createSession(async (signal) => {
    const logIn = () => send(buildPost(LOGIN, { email, password, playerid }), signal);
    const reply = await withRetries(logIn, { wait, maxAttempts }, signal);
    return readResponse<{ readonly authorization: string }>(reply, shapes.login).data.authorization;
  });

  async function call<Data, Meta = object>(
    request: PortalRequest,
    shape: ResponseShape,
    { signal, onResponse }: CallOptions = {},
  ): Promise<Success<Data, Meta>> {
    let hasRenewedToken = false;
    let attempts = 0;
    const sendWithToken = async (): Promise<Reply> => {
      const token = await session.getToken(signal);
      const credentials = { 'X-API-Key': apiKey, Authorization: `Bearer ${token.value}` };
      attempts += 1;
      const reply = await send({ ...request, headers: { ...request.headers, ...credentials } }, signal);
      if ('error' in reply) return reply;
      onResponse?.({ status: reply.status, requestId: reply.headers.get('X-Request-Id'), attempts });
      if (reply.status !== 401) return reply;
      session.discard(token.value);
      // If a new token is rejected, the cause is something else, such as the API key.
      if (token.isNew || hasRenewedToken) return reply;
      hasRenewedToken = true;
      return sendWithToken();
    };
    return readResponse(await withRetries(sendWithToken, { wait, maxAttempts }, signal), shape);
  }

  return { buildGet, buildPost, session, call };
}

function formatQuery(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  return parameters.toString();
}

/** Lists page by page, and yields every row once, even if other rows enter or leave the list during the iteration. */
async function* iterateRows(
  list: (query: portal.InvoiceQuery) => Promise<InvoicePage>,
  query: Omit<portal.InvoiceQuery, 'offset'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<portal.InvoiceRow, void> {
  // A page begins with the last row of the page before it, and therefore needs two rows.
  const limit = Math.max(2, query.limit ?? REQUEST_LIMITS.pageMax);
  const yieldedIds = new Set<string>();
  let offset = 0;
  for (;;) {
    const { rows, total } = await list({ ...query, limit, offset });
    // If rows have left the list, later rows have moved up, and the page begins after a gap.
    const hasGap = offset > 0 && !yieldedIds.has(rows[0]?.invoice_id ?? '');
    if (hasGap) {
      offset = Math.max(0, offset - limit);
      continue;
    }
    for (const row of rows) {
      signal?.throwIfAborted();
      if (yieldedIds.has(row.invoice_id)) continue;
      yieldedIds.add(row.invoice_id);
      yield row;
    }
    if (rows.length < 2 || offset + rows.length >= total) return;
    offset += rows.length - 1;
  }
}

const YEAR_MS = 365 * DAY_MS;
// A change becomes visible up to 20 s after its time. The other 40 s are for the clocks of its writer and this machine.
const OVERLAP_MS = 60_000;

/** Lists the invoices that have changed since a time, range by range, and yields each of them once. */
async function* iterateChanges(
  eachInvoice: PortalClient['eachInvoice'],
  time: Date | string,
  { startdate, ...options }: ChangesOptions = {},
): AsyncGenerator<portal.InvoiceRow, void> {
  const changedSince = new Date(new Date(time).getTime() - OVERLAP_MS).toISOString();
  const firstMs = startdate === undefined ? Date.now() - YEAR_MS : Date.parse(startdate);
  // An invoice whose date changes meanwhile can be in two ranges.
  const yieldedIds = new Set<string>();
  for (const range of listRanges(firstMs)) {
    for await (const row of eachInvoice({ ...range, changed_since: changedSince }, options)) {
      if (yieldedIds.has(row.invoice_id)) continue;
      yieldedIds.add(row.invoice_id);
      yield row;
    }
  }
}
