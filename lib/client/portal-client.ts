import { checkOptions } from './check-options.ts';
import type { PortalClient, PortalClientOptions } from './client-types.ts';
import { createConnection } from './connection.ts';
import { iterateChanges, iterateRows } from './iterate-invoices.ts';
import type * as portal from './portal-data.generated.ts';
import { RESPONSE_SHAPES as shapes } from './portal-data.generated.ts';

const INVOICES = '/apidev/v1/supplier-portal/invoices';

/**
 * Creates a client, which sends nothing until a method is called. Throws a TypeError with the name of an option that is
 * empty or invalid, such as a `baseUrl` that is neither https:// nor http:// on this machine.
 * @example
 * import { createPortalClient } from '@supplier-portal/client';
 *
 * const user = { tenant: 'demo.example', email: 'ana@demo.example', password: 'Demo-2026!' };
 * const apiKey = '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001';
 * const portal = createPortalClient({ baseUrl: 'http://127.0.0.1:3000', apiKey, ...user });
 */
export function createPortalClient(clientOptions: PortalClientOptions): PortalClient {
  checkOptions(clientOptions);
  const { buildGet, buildPost, session, call } = createConnection(clientOptions);

  const listInvoices: PortalClient['listInvoices'] = async (query, options) => {
    const request = buildGet(`${INVOICES}?${formatQuery(query)}`);
    const { data, meta } = await call<portal.InvoiceList, portal.PageMeta>(request, shapes.listInvoices, options);
    return { ...data, ...meta };
  };
  const eachInvoice: PortalClient['eachInvoice'] = (query, options) =>
    iterateRows((page) => listInvoices(page, options), query, options?.signal);
  const callForData = async <Data>(...callArguments: Parameters<typeof call>): Promise<Data> => {
    const success = await call<Data>(...callArguments);
    return success.data;
  };

  return {
    login: async ({ signal } = {}) => {
      await session.getToken(signal);
    },
    listInvoices,
    eachInvoice,
    changesSince: (time, options) => iterateChanges(eachInvoice, time, options),
    getInvoice: async (invoiceId, options) =>
      callForData(buildGet(`${INVOICES}/${encodeURIComponent(invoiceId)}`), shapes.getInvoice, options),
    getHistory: async (invoiceId, page = {}, options) => {
      const request = buildGet(`${INVOICES}/${encodeURIComponent(invoiceId)}/history?${formatQuery(page)}`);
      const { data, meta } = await call<portal.HistoryEntry[], portal.PageMeta>(request, shapes.getHistory, options);
      return { entries: data, ...meta };
    },
    validateAmount: (amount, options) =>
      callForData(buildPost(`${INVOICES}/validate`, amount), shapes.validateAmount, options),
    declareInvoice: (declaration, options) =>
      callForData(buildPost(`${INVOICES}/declare`, declaration), shapes.declareInvoice, options),
    declareBatch: (declarations, options) =>
      callForData(buildPost(`${INVOICES}/declare-batch`, { declarations }), shapes.declareBatch, options),
  };
}

function formatQuery(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  return parameters.toString();
}
