import type { SampleRequest } from '../../../infra/openapi/sample-requests.ts';

/** The values from which the requests are built. */
export interface RequestParts {
  readonly tenant: string;
  readonly authorization: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
  readonly playerId: string;
  readonly invoiceId: string;
  readonly notes: string;
  readonly search: string;
}

const portal = '/apidev/v1/supplier-portal/invoices';

/** Builders of a request to each endpoint and legacy operation, by name. */
export const portalRequests = {
  login: ({ tenant, email, password, playerId }) =>
    buildPost('/apidev/v1/login', { tenant }, { email, password, playerid: playerId }),
  'list-invoices': (parts) => buildGet(`${portal}?startdate=2026-03-01&enddate=2026-03-31`, parts),
  'list-invoices with a search': (parts) =>
    buildGet(`${portal}?startdate=2026-03-01&enddate=2026-03-31&search=${encodeURIComponent(parts.search)}`, parts),
  'get-invoice': (parts) => buildGet(`${portal}/${encodeURIComponent(parts.invoiceId)}`, parts),
  'validate-amount': (parts) => buildPost(`${portal}/validate`, buildCredentials(parts), buildDeclaration(parts)),
  'declare-invoice': (parts) => buildPost(`${portal}/declare`, buildCredentials(parts), buildDeclaration(parts)),
  'declare-batch': (parts) =>
    buildPost(`${portal}/declare-batch`, buildCredentials(parts), { declarations: [buildDeclaration(parts)] }),
  'legacy-dispatch WSListarFacturas': (parts) =>
    buildLegacyRequest('WSListarFacturas', parts, {
      FechaDesde: '2026-03-01',
      FechaHasta: '2026-03-31',
      Busqueda: parts.search,
    }),
  'legacy-dispatch WSDeclararFactura': (parts) =>
    buildLegacyRequest('WSDeclararFactura', parts, {
      IdFactura: parts.invoiceId,
      Importe: 1000,
      Observaciones: parts.notes,
    }),
} satisfies Record<string, (parts: RequestParts) => SampleRequest>;

export type RequestName = keyof typeof portalRequests;

export const requestNames = Object.keys(portalRequests) as RequestName[];

/** Sends a request. Returns the status, request id and text of the response. */
export async function sendRequest(url: string, { path, ...request }: SampleRequest) {
  const response = await fetch(url + path, request);
  const requestId = response.headers.get('x-request-id') ?? '';
  return { status: response.status, requestId, text: await response.text() };
}

function buildGet(path: string, parts: RequestParts): SampleRequest {
  return { method: 'GET', path, headers: buildCredentials(parts) };
}

function buildPost(path: string, headers: Record<string, string>, body: object): SampleRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

function buildLegacyRequest(
  operation: string,
  { tenant, apiKey, email, password }: RequestParts,
  fields: object,
): SampleRequest {
  const WSAutorizacion = { Guid: apiKey, Usuario: email, Password: password };
  return buildPost(`/apidev/legacy/${operation}`, { tenant }, { WSAutorizacion, ...fields });
}

function buildCredentials({ tenant, authorization, apiKey }: RequestParts): Record<string, string> {
  return { tenant, authorization, 'x-api-key': apiKey };
}

function buildDeclaration({ invoiceId, notes }: RequestParts): object {
  return { invoice_id: invoiceId, amount: 1000, notes };
}
