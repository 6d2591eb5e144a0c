import { checkHeaders } from './check-headers.ts';
import { eachInvoice } from './each-invoice.ts';
import { exchange, type Fetch, type PortalRequest, type Reply } from './exchange.ts';
import { isConfidential } from './judge-address.ts';
import type * as portal from './portal-data.ts';
import { type Answer, errorCodeOf, type IsComplete, readAnswer } from './read-answer.ts';
import { withRetries } from './retry.ts';
import { createSession } from './session.ts';
import { type Wait, wait as waitForReal } from './wait.ts';

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
  /** With what to send requests; by default the `fetch` of the platform. */
  readonly fetch?: Fetch;
  /** The only way in which the client passes time; by default it waits for real. */
  readonly wait?: Wait;
  /** How long to wait for each answer; by default 30 seconds, one longer than the gateway waits for the service. */
  readonly timeoutMs?: number;
  /** The language of the messages of errors, as the service writes them; by default English. */
  readonly language?: Language;
}

/** What every call takes as its last argument. */
export interface CallOptions {
  /** Ends the call at once, also while it waits; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The endpoints of the service. Calls log in by themselves, repeat what may succeed the next time, and throw a
 * PortalError when that does not help.
 */
export interface PortalClient {
  /** Logs in, if it has not happened yet: to learn early whether the credentials are right. */
  login(options?: CallOptions): Promise<void>;
  /** A page of the invoices of a date range of at most 93 days, newest first. */
  listInvoices(query: portal.InvoiceQuery, options?: CallOptions): Promise<portal.InvoicePage>;
  /**
   * All rows of a list, each once; `limit` is the size of a page. A row that leaves the list meanwhile moves those
   * behind it, so that some are missed: collect the rows of `status: 'PEN'` before declaring on them.
   */
  eachInvoice(
    query: Omit<portal.InvoiceQuery, 'offset'>,
    options?: CallOptions,
  ): AsyncGenerator<portal.InvoiceRow, void>;
  /** One invoice with its line items. */
  getInvoice(invoiceId: string, options?: CallOptions): Promise<portal.InvoiceDetail>;
  /** What declaring an amount would do; nothing is written. */
  validateAmount(amount: portal.AmountToCheck, options?: CallOptions): Promise<portal.AmountCheck>;
  /** Declares an amount, or changes what was declared: an optional property that is left out keeps its value. */
  declareInvoice(declaration: portal.Declaration, options?: CallOptions): Promise<portal.DeclarationResult>;
  /** Declares up to 100 amounts; those that fail are in the results, and only a malformed batch throws. */
  declareBatch(declarations: readonly portal.Declaration[], options?: CallOptions): Promise<portal.BatchResult>;
}

const LOGIN = '/apidev/v1/login';
const INVOICES = '/apidev/v1/supplier-portal/invoices';

/**
 * Makes a client, which sends nothing until it is used. Throws a TypeError when no header can hold `tenant` or
 * `apiKey`, or when others could read what is sent to `baseUrl`.
 */
export function createPortalClient({
  baseUrl,
  tenant,
  apiKey,
  email,
  password,
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

  const session = createSession(async (signal) => {
    const request = post(LOGIN, { email, password });
    const reply = await withRetries(
      () => exchange(fetch, request, { timeoutMs, signal }),
      (seconds) => wait(seconds, signal),
    );
    const hasToken: IsComplete = ({ data }) => typeof data['authorization'] === 'string';
    return readAnswer<{ readonly authorization: string }>(reply, hasToken).data.authorization;
  });

  async function call<Data, Meta = object>(
    request: PortalRequest,
    { signal }: CallOptions = {},
    isComplete?: IsComplete,
  ): Promise<Answer<Data, Meta>> {
    let renewed = false;
    const send = async (): Promise<Reply> => {
      const token = await session.token(signal);
      const headers = { ...request.headers, 'X-API-Key': apiKey, Authorization: `Bearer ${token}` };
      const reply = await exchange(fetch, { ...request, headers }, { timeoutMs, signal });
      if (reply.status === 401) session.discard(token);
      if (renewed || errorCodeOf(reply) !== 'TOKEN_EXPIRED') return reply;
      renewed = true;
      return send();
    };
    return readAnswer(await withRetries(send, (seconds) => wait(seconds, signal)), isComplete);
  }

  const listInvoices: PortalClient['listInvoices'] = async (query, options) => {
    const path = `${INVOICES}?${new URLSearchParams(parametersOf(query)).toString()}`;
    const isPage: IsComplete = ({ data, meta }) => Array.isArray(data['rows']) && typeof meta['total'] === 'number';
    const { data, meta } = await call<portal.InvoiceList, portal.PagePosition>(get(path), options, isPage);
    return { ...data, ...meta };
  };
  const dataOf = async <Data>(request: PortalRequest, options: CallOptions | undefined): Promise<Data> =>
    (await call<Data>(request, options)).data;

  return {
    login: async ({ signal } = {}) => void (await session.token(signal)),
    listInvoices,
    eachInvoice: (query, options) => eachInvoice((page) => listInvoices(page, options), query, options?.signal),
    getInvoice: (invoiceId, options) => dataOf(get(`${INVOICES}/${encodeURIComponent(invoiceId)}`), options),
    validateAmount: (amount, options) => dataOf(post(`${INVOICES}/validate`, amount), options),
    declareInvoice: (declaration, options) => dataOf(post(`${INVOICES}/declare`, declaration), options),
    declareBatch: (declarations, options) => dataOf(post(`${INVOICES}/declare-batch`, { declarations }), options),
  };
}

function parametersOf(query: object): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
