import type { DemoAccount } from '../local/demo.ts';

/** A request that the demo account can make. */
export interface SampleRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const portal = '/apidev/v1/supplier-portal/invoices';
const declaration = { invoice_id: '9001', amount: 1050, invoice_number: 'A-0001-00001234' };

/** The request with which the demo account logs in. */
export function loginRequest({ tenant, email, password }: DemoAccount): SampleRequest {
  return post('/apidev/v1/login', { tenant }, { email, password });
}

/** A request to each route, and to each operation of the legacy route, by `<function>` or `<function>.<operation>`. */
export function sampleRequests(account: DemoAccount, token: string): Readonly<Record<string, SampleRequest>> {
  const headers = { tenant: account.tenant, Authorization: `Bearer ${token}`, 'X-API-Key': account.apiKey };
  const legacy = (operation: string, fields: object) => {
    const WSAutorizacion = { Guid: account.apiKey, Usuario: account.email, Password: account.password };
    return post(`/apidev/legacy/${operation}`, {}, { WSAutorizacion, ...fields });
  };
  return {
    login: loginRequest(account),
    'list-invoices': { method: 'GET', path: `${portal}?startdate=2026-06-01&enddate=2026-08-31&limit=2`, headers },
    'get-invoice': { method: 'GET', path: `${portal}/9001`, headers },
    'validate-amount': post(`${portal}/validate`, headers, declaration),
    'declare-invoice': post(`${portal}/declare`, headers, declaration),
    'declare-batch': post(`${portal}/declare-batch`, headers, { declarations: [declaration] }),
    'legacy-dispatch.WSListarFacturas': legacy('WSListarFacturas', {
      FechaDesde: '2026-06-01',
      FechaHasta: '2026-08-31',
      Limite: 2,
    }),
    'legacy-dispatch.WSObtenerFactura': legacy('WSObtenerFactura', { IdFactura: '9003' }),
    'legacy-dispatch.WSValidarFactura': legacy('WSValidarFactura', { IdFactura: '9003', Importe: 650 }),
    'legacy-dispatch.WSDeclararFactura': legacy('WSDeclararFactura', { IdFactura: '9003', Importe: 650 }),
    'legacy-dispatch.WSDeclararFacturas': legacy('WSDeclararFacturas', {
      Declaraciones: [{ IdFactura: '9003', Importe: 650 }],
    }),
  };
}

function post(path: string, headers: Readonly<Record<string, string>>, body: object): SampleRequest {
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}
