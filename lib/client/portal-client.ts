import { eachInvoice } from './each-invoice.ts';
import {
  checkHeaders,
  exchange,
  type Fetch,
  isConfidential,
  PortalError,
  type PortalRequest,
  type Reply,
} from './exchange.ts';
import { createPace, type RateGroup, type Rates } from './pace.ts';
import type * as portal from './portal-data.generated.ts';
import { RESPONSE_SHAPES as shapes } from './portal-data.generated.ts';
import { readResponse, type ResponseShape, type Success } from './read-response.ts';
import { createSession } from './session.ts';
import { type Wait, wait as waitForReal, withRetries } from './wait.ts';

/** A language in which the service explains errors. */
export type Language = 'en' | 'es';

/** Where the service is, and who calls it. */
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
  /** The push-notification player id to register for the user with each login; at most 200 characters. */
  readonly playerid?: string | undefined;
  /** With what to send requests; by default the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined;
  /** The only way in which the client passes time; by default it waits for real. */
  readonly wait?: Wait | undefined;
  /** How long to wait for each answer; by default 30 seconds, one longer than the gateway waits for the service. */
  readonly timeoutMs?: number | undefined;
  /** The language of the messages of errors, as the service writes them; by default English. */
  readonly language?: Language | undefined;
}

/** What the client tells of a response. */
export interface ResponseInfo {
  readonly status: number;
  /** The id by which the operators find the request; null when the response has none. */
  readonly requestId: string | null;
}

/** What every call takes as its last argument. */
export interface CallOptions {
  /** Ends the call at once, also while it waits; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives every response to the call in their order, also one after which the call is retried. Logins are not
   * included: calls share them.
   * @example
   * await portal.declareInvoice(declaration, { onResponse: ({ requestId }) => console.log(requestId) });
   */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
}

/**
 * The endpoints of the service. Calls log in by themselves, wait while the limit of their group is used up, repeat what
 * may succeed the next time, and throw a PortalError when that does not help.
 */
export interface PortalClient {
  /** Logs in, if it has not happened yet: to learn early whether the credentials are right. */
  login(options?: Pick<CallOptions, 'signal'>): Promise<void>;
  /** A page of the invoices of a date range of at most 93 days, newest first. */
  listInvoices(query: portal.InvoiceQuery, options?: CallOptions): Promise<portal.InvoicePage>;
  /**
   * All rows of a list, each once; `limit` is the size of a page. A row that leaves the list meanwhile moves those
   * behind it, so that some are missed: collect the rows of `status: 'PEN'` before declaring on them.
   * @example
   * const quarter = { startdate: '2026-06-01', enddate: '2026-08-31' };
   * const pending = await Array.fromAsync(portal.eachInvoice({ ...quarter, status: 'PEN' }));
   */
  eachInvoice(
    query: Omit<portal.InvoiceQuery, 'offset'>,
    options?: CallOptions,
  ): AsyncGenerator<portal.InvoiceRow, void>;
  /** One invoice with its line items. */
  getInvoice(invoiceId: string, options?: CallOptions): Promise<portal.InvoiceDetail>;
  /** What declaring an amount would do; nothing is written. */
  validateAmount(amount: portal.AmountToCheck, options?: CallOptions): Promise<portal.AmountCheck>;
  /**
   * Declares an amount, or changes what was declared: an optional property that is left out keeps its value.
   * @example
   * const { tolerance } = await portal.declareInvoice({ invoice_id: '9001', amount: 1050, invoice_number: 'A-1' });
   * console.log(tolerance.action); // AUTO_APPROVE or REVIEW
   */
  declareInvoice(declaration: portal.Declaration, options?: CallOptions): Promise<portal.DeclarationResult>;
  /**
   * Declares up to 100 amounts independently of each other. The results contain one entry per item, in the same order;
   * a rejected item has an error. An empty batch, or one of more than 100 items, throws, and nothing is saved.
   * @example
   * const { results } = await portal.declareBatch([{ invoice_id: '9001', amount: 1050 }]);
   * for (const item of results) if (!item.success) console.log(item.invoice_id, item.error.message);
   */
  declareBatch(declarations: readonly portal.Declaration[], options?: CallOptions): Promise<portal.BatchResult>;
  /**
   * The last `X-RateLimit-*` figures of each group. Those of a caller who is not known (401) are the whole limit, and
   * are left out: they say nothing of what the user has left.
   */
  rates(): Rates;
}

const LOGIN = '/apidev/v1/login';
const INVOICES = '/apidev/v1/supplier-portal/invoices';

/**
 * Makes a client, which sends nothing until it is used. Throws a TypeError when no header can hold `tenant` or
 * `apiKey`, or when others could read what is sent to `baseUrl`.
 * @example
 * const portal = createPortalClient({ baseUrl: 'https://portal.example', tenant, apiKey, email, password });
 * const { rows, total } = await portal.listInvoices({ startdate: '2026-06-01', enddate: '2026-08-31' });
 */
export function createPortalClient({
  baseUrl,
  tenant,
  apiKey,
  email,
  password,
  playerid,
  fetch = globalThis.fetch,
  wait = waitForReal,
  timeoutMs = 30_000,
  language,
}: PortalClientOptions): PortalClient {
  if (!isConfidential(baseUrl))
    throw new TypeError('baseUrl must begin with https://; http:// is for this machine only.');
  checkHeaders({ tenant, apiKey });
  const base = baseUrl.replace(/\/+$/, '');
  const common = { tenant, ...(language && { 'Accept-Language': language }) };
  const get = (path: string): PortalRequest => ({ method: 'GET', url: base + path, headers: common });
  const post = (path: string, body: object): PortalRequest => ({
    method: 'POST',
    url: base + path,
    headers: { ...common, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

  const pace = createPace();
  const session = createSession(async (signal) => {
    const request = post(LOGIN, { email, password, playerid });
    const logIn = async (): Promise<Reply> => {
      const reply = await exchange(fetch, request, { timeoutMs, signal });
      pace.note('login', reply);
      return reply;
    };
    const reply = await withRetries(logIn, (seconds) => wait(seconds, signal));
    return readResponse<{ readonly authorization: string }>(reply, shapes.login).data.authorization;
  });

  async function call<Data, Meta = object>(
    group: RateGroup,
    request: PortalRequest,
    shape: ResponseShape,
    { signal, onResponse }: CallOptions = {},
  ): Promise<Success<Data, Meta>> {
    const pass = (seconds: number) => wait(seconds, signal);
    let renewed = false;
    const send = async (): Promise<Reply> => {
      const seconds = pace.secondsUntilFree(group);
      if (seconds > 0) await pass(seconds);
      const token = await session.token(signal);
      const headers = { ...request.headers, 'X-API-Key': apiKey, Authorization: `Bearer ${token.value}` };
      const reply = await exchange(fetch, { ...request, headers }, { timeoutMs, signal });
      pace.note(group, reply);
      onResponse?.({ status: reply.status, requestId: reply.headers.get('X-Request-Id') });
      if (reply.status !== 401) return reply;
      session.discard(token.value);
      // What a new token does not mend, such as the API key, another would not mend either.
      if (token.isNew || renewed) return reply;
      renewed = true;
      return send();
    };
    return readResponse(await withRetries(send, pass), shape);
  }

  const listInvoices: PortalClient['listInvoices'] = async (query, options) => {
    const path = `${INVOICES}?${new URLSearchParams(parametersOf(query)).toString()}`;
    const { data, meta } = await call<portal.InvoiceList, portal.PagePosition>(
      'reads',
      get(path),
      shapes.listInvoices,
      options,
    );
    return { ...data, ...meta };
  };
  const dataOf = async <Data>(...args: Parameters<typeof call>): Promise<Data> => (await call<Data>(...args)).data;

  return {
    login: async ({ signal } = {}) => void (await session.token(signal)),
    listInvoices,
    eachInvoice: (query, options) => eachInvoice((page) => listInvoices(page, options), query, options?.signal),
    getInvoice: async (invoiceId, options) => {
      const path = `${INVOICES}/${toPathSegment(invoiceId)}`;
      return dataOf('reads', get(path), shapes.getInvoice, options);
    },
    validateAmount: (amount, options) =>
      dataOf('reads', post(`${INVOICES}/validate`, amount), shapes.validateAmount, options),
    declareInvoice: (declaration, options) =>
      dataOf('writes', post(`${INVOICES}/declare`, declaration), shapes.declareInvoice, options),
    declareBatch: (declarations, options) =>
      dataOf('writes', post(`${INVOICES}/declare-batch`, { declarations }), shapes.declareBatch, options),
    rates: () => pace.rates(),
  };
}

function parametersOf(query: object): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Encodes an invoice id for the path; throws VALIDATION_ERROR for one that would lead to another path. */
function toPathSegment(invoiceId: string): string {
  if (!['', '.', '..'].includes(invoiceId)) return encodeURIComponent(invoiceId);
  const details = [{ property: 'id', constraints: { pattern: 'id must contain digits only' } }];
  const message = 'Invalid request: id.';
  throw new PortalError({ code: 'VALIDATION_ERROR', message, status: null, requestId: null, details });
}
