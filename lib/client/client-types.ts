import type * as portal from './portal-data.generated.ts';
import type { Wait } from './retries.ts';
import type { Fetch } from './transport.ts';

/** A language of the service's error messages. */
export type Language = 'en' | 'es';

/** The options of `createPortalClient`. `playerid`, like `startdate` below, is spelled as in the service. */
export interface PortalClientOptions {
  /** The address in front of `/apidev`, such as `https://portal.example`; `http://` is for this machine only. */
  readonly baseUrl: string;
  /** The tenant that you were given at onboarding. */
  readonly tenant: string;
  /** The API key of the company. */
  readonly apiKey: string;
  /** The email address of the user who calls. */
  readonly email: string;
  /** The password of this user. */
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

/** The status and the request id of a response, and the number of attempts until then. */
export interface ResponseInfo {
  readonly status: number;
  /** The id with which the operators find the request; null if the response has none. */
  readonly requestId: string | null;
  /** The number of requests that the call sent until this response, including requests without a response. */
  readonly attempts: number;
}

/** The options of a call, which are the last argument of every method. */
export interface CallOptions {
  /** Ends the call at once, even during a wait. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives every response to the call in order, including a response after which the call is retried. Responses to
   * logins are not included, because several calls share a login.
   * @example
   * await portal.getInvoice('9001', { onResponse: ({ status, requestId }) => console.log(status, requestId) });
   */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
}

/** The options of `changesSince`. */
export interface ChangesOptions extends CallOptions {
  /** The first invoice date that is searched: by default one year before now, and at the latest tomorrow. */
  readonly startdate?: string | undefined;
}

/**
 * The endpoints of the service. A method logs in if needed, and retries after a temporary error. If the service
 * throttles a call, the client waits for Retry-After (up to 120 s) before the retry. A method throws a PortalError if
 * the service rejects the call, or if the last attempt also ends with a temporary error.
 */
export interface PortalClient {
  /**
   * Logs in if the client has no token yet, so that invalid credentials are found early.
   * @example
   * await portal.login();
   */
  login(options?: Pick<CallOptions, 'signal'>): Promise<void>;
  /**
   * Returns a page of the invoices of a date range (see REQUEST_LIMITS), newest first.
   * @example
   * const { rows, total } = await portal.listInvoices({ startdate: '2026-06-01', enddate: '2026-08-31', limit: 10 });
   * console.log(rows.length, 'of', total, 'invoices');
   */
  listInvoices(query: portal.InvoiceQuery, options?: CallOptions): Promise<InvoicePage>;
  /**
   * Yields every row of a list once, even if other rows enter or leave the list meanwhile; `limit` is the page size.
   * @example
   * const quarter = { startdate: '2026-06-01', enddate: '2026-08-31' };
   * for await (const row of portal.eachInvoice({ ...quarter, status: 'PEN' })) console.log(row.invoice_id);
   */
  eachInvoice(
    query: Omit<portal.InvoiceQuery, 'offset'>,
    options?: CallOptions,
  ): AsyncGenerator<portal.InvoiceRow, void>;
  /**
   * Yields once every invoice that has changed since a time, which is a Date or a string with a zone. Pass the time at
   * which the last complete run started. The client lists the changes since one minute before this time, because a
   * change becomes visible up to 20 seconds after its time, and the clock of this machine can be 30 seconds ahead.
   * Therefore the next run can yield an invoice again.
   * @example
   * let lastRun = new Date('2026-08-31T10:00:00Z');
   * const startedAt = new Date();
   * for await (const invoice of portal.changesSince(lastRun)) console.log(invoice.invoice_id, invoice.state_code);
   * lastRun = startedAt;
   */
  changesSince(time: Date | string, options?: ChangesOptions): AsyncGenerator<portal.InvoiceRow, void>;
  /**
   * Returns an invoice with its line items.
   * @example
   * const { invoice_id, concepts } = await portal.getInvoice('9001');
   * console.log(invoice_id, 'has', concepts.length, 'line items');
   */
  getInvoice(invoiceId: string, options?: CallOptions): Promise<portal.InvoiceDetail>;
  /**
   * Returns a page of the changes of an invoice, newest first: why it was rejected, which amount is paid, and when.
   * @example
   * const { entries } = await portal.getHistory('9006', { limit: 1 });
   * console.log(entries[0]?.state_code, entries[0]?.message);
   */
  getHistory(invoiceId: string, page?: Omit<portal.HistoryQuery, 'id'>, options?: CallOptions): Promise<HistoryPage>;
  /**
   * Returns the result that declaring an amount would have; nothing is saved.
   * @example
   * const { action, difference } = await portal.validateAmount({ invoice_id: '9001', amount: 1050 });
   * console.log(action, difference); // AUTO_APPROVE 50
   */
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
