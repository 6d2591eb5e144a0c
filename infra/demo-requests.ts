import type { DemoAccount } from './demo-account.ts';

/** A request over HTTP. */
export interface SampleRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const portal = '/apidev/v1/supplier-portal/invoices';
const amount = { invoice_id: '9001', amount: 1050 };
const declaration = { ...amount, invoice_number: 'A-0001-00001234' };

/** The request with which the demo account logs in. */
export function loginRequest({ tenant, email, password }: DemoAccount): SampleRequest {
  return post('/apidev/v1/login', { tenant }, { email, password });
}

/** A request of the demo account to each endpoint of the current interface, by its name. */
export function currentRequests(account: DemoAccount, token: string) {
  const headers = { tenant: account.tenant, Authorization: `Bearer ${token}`, 'X-API-Key': account.apiKey };
  return {
    login: loginRequest(account),
    'list-invoices': { method: 'GET', path: `${portal}?startdate=2026-06-01&enddate=2026-08-31&limit=2`, headers },
    'get-invoice': { method: 'GET', path: `${portal}/9001`, headers },
    'validate-amount': post(`${portal}/validate`, headers, amount),
    'declare-invoice': post(`${portal}/declare`, headers, declaration),
    'declare-batch': post(`${portal}/declare-batch`, headers, {
      declarations: [declaration, { invoice_id: '9101', amount: 100 }],
    }),
  } satisfies Record<string, SampleRequest>;
}

/** A request of the demo account to each operation of the legacy route, by its WSName. */
export function legacyRequests({ apiKey, email, password }: DemoAccount) {
  const call = (operation: string, fields: object) => {
    const WSAutorizacion = { Guid: apiKey, Usuario: email, Password: password };
    return post(`/apidev/legacy/${operation}`, {}, { WSAutorizacion, ...fields });
  };
  return {
    WSListarFacturas: call('WSListarFacturas', { FechaDesde: '2026-06-01', FechaHasta: '2026-08-31', Limite: 2 }),
    WSObtenerFactura: call('WSObtenerFactura', { IdFactura: '9003' }),
    WSValidarFactura: call('WSValidarFactura', { IdFactura: '9003', Importe: 650 }),
    WSDeclararFactura: call('WSDeclararFactura', { IdFactura: '9003', Importe: 650 }),
    WSDeclararFacturas: call('WSDeclararFacturas', {
      Declaraciones: [
        { IdFactura: '9003', Importe: 650 },
        { IdFactura: '9008', Importe: 1 },
      ],
    }),
  } satisfies Record<string, SampleRequest>;
}

function post(path: string, headers: Readonly<Record<string, string>>, body: object) {
  return {
    method: 'POST' as const,
    path,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}
