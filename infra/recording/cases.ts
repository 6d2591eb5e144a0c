import type { AccessKind } from '../../lib/domain/directory.ts';
import { demoAccount } from '../demo-account.ts';
import type { SampleRequest } from '../demo-requests.ts';
import type { Exchange } from '../openapi/examples.ts';

/** A request to an operation, to be shown as an example of one of its answers. */
export type Case = Omit<Exchange, 'status' | 'headers' | 'body'>;

/** What is different about a request; undefined leaves a header or a field out. */
interface Change {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly lastSegment?: string;
  readonly body?: object;
}

/** Users other than the demo account, by what is shown with them. */
export const OTHER_USERS = {
  /** May not declare. */
  readOnly: 'lucia@demo.example',
  noSupplier: 'elena@demo.example',
  /** Is deactivated after its login. */
  inactiveUser: 'fabio@demo.example',
  /** Its sessions are ended after its login. */
  endedSession: 'bruno@demo.example',
  /** Its supplier has the tolerance of its tenant. */
  globalTolerance: 'diego@demo.example',
  /** Neither its supplier nor its tenant has a tolerance. */
  noTolerance: 'sofia@sur.example',
} as const;

/** The access tokens of those users. */
export type OtherTokens = Readonly<Record<keyof typeof OTHER_USERS, string>>;

type Example = readonly [name: string, summary: string, change: Change];

const { email, password, apiKey } = demoAccount;
const suspendedKey = '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a102';
const southernKey = '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6b001';

const badDeclaration = { invoice_id: 'A-1', amount: -1 };
const settledBatch = { declarations: ['9001', '9008'].map((id) => ({ invoice_id: id, amount: 1050 })) };
const suspendedUser = { Guid: suspendedKey, Usuario: 'hugo@demo.example' };
const legacyCaller = (other: object) => ({
  body: { WSAutorizacion: { Guid: apiKey, Usuario: email, Password: password, ...other } },
});

const settled: Example = ['settled', 'A settled invoice', { body: { invoice_id: '9008' } }];
const legacySettled: Example = ['settled', 'A settled invoice', { body: { IdFactura: '9008' } }];
const notFound: Example = ['NOT_FOUND', "Another supplier's invoice, or none", { body: { invoice_id: '9101' } }];
const legacyNotFound: Example = ['NOT_FOUND', "Another supplier's invoice, or none", { body: { IdFactura: '9101' } }];
const legacyInvalid: Example = ['VALIDATION_ERROR', 'An amount below 0', { body: { Importe: -1 } }];

/** What is shown of each operation beside what is shown of all. */
const OWN: Readonly<Record<string, readonly Example[]>> = {
  login: [
    ['success', 'A new access token', {}],
    ['VALIDATION_ERROR', 'The password is missing', { body: { password: undefined } }],
    ['UNAUTHORIZED', 'Wrong e-mail or password', { body: { password: 'wrong' } }],
    ['inactive-user', 'The user is not active', { body: { email: 'fabio@demo.example' } }],
    ['COMPANY_SUSPENDED', 'The company account is suspended', { body: { email: 'hugo@demo.example' } }],
  ],
  'list-invoices': [
    ['success', 'The first two invoices of three months', {}],
    ['empty', 'No invoice matches', { query: { search: 'Ushuaia' } }],
    ['VALIDATION_ERROR', 'A limit above 100 and an unknown state', { query: { limit: '101', status: 'ALL' } }],
    ['INVALID_DATE_RANGE', 'A range of more than 93 days', { query: { startdate: '2026-01-01' } }],
  ],
  'get-invoice': [
    ['success', 'An invoice with two line items', {}],
    ['VALIDATION_ERROR', 'An id that is not a number', { lastSegment: 'A-9001' }],
    ['NOT_FOUND', "Another supplier's invoice, or none", { lastSegment: '9101' }],
  ],
  'validate-amount': [
    ['success', 'At the very limit of 5 %: approved', {}],
    ['review', 'One cent more: review', { body: { amount: 1050.01 } }],
    ['VALIDATION_ERROR', 'An id that is not a number and an amount below 0', { body: badDeclaration }],
    settled,
    notFound,
  ],
  'declare-invoice': [
    ['success', 'Approved automatically', {}],
    ['review', 'Sent to review', { body: { amount: 1200, notes: 'Two hours of waiting' } }],
    ['VALIDATION_ERROR', 'An id that is not a number and an amount below 0', { body: badDeclaration }],
    settled,
    ['unicode', 'Half a character: text that is no Unicode', { body: { notes: 'Peaje \ud83d' } }],
    notFound,
  ],
  'declare-batch': [
    ['success', 'One declared, one failed', {}],
    ['settled', 'One declared, one rejected because it is settled', { body: settledBatch }],
    [
      'VALIDATION_ERROR',
      'An item without an invoice_id: nothing is declared',
      { body: { declarations: [{ amount: 1 }] } },
    ],
  ],
  WSListarFacturas: [
    ['success', 'The first two invoices of three months', {}],
    ['VALIDATION_ERROR', 'A limit above 100', { body: { Limite: 101 } }],
    ['INVALID_DATE_RANGE', 'A range of more than 93 days', { body: { FechaDesde: '2026-01-01' } }],
  ],
  WSObtenerFactura: [
    ['success', 'An invoice', {}],
    ['VALIDATION_ERROR', 'An id that is not a number', { body: { IdFactura: 'A-1' } }],
    legacyNotFound,
  ],
  WSValidarFactura: [['success', 'Within the tolerance', {}], legacyInvalid, legacySettled, legacyNotFound],
  WSDeclararFactura: [
    ['success', 'Approved automatically', {}],
    legacyInvalid,
    legacySettled,
    ['unicode', 'Half a character: text that is no Unicode', { body: { Observaciones: 'Peaje \ud83d' } }],
    legacyNotFound,
  ],
  WSDeclararFacturas: [
    ['success', 'One declared, one failed', {}],
    ['VALIDATION_ERROR', 'No declarations', { body: { Declaraciones: [] } }],
  ],
};

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

function ofTolerances({ globalTolerance, noTolerance }: OtherTokens): Example[] {
  const southern = { tenant: 'sur.example', 'X-API-Key': southernKey, ...bearer(noTolerance) };
  const other = { lastSegment: '9301', headers: bearer(globalTolerance) };
  return [
    ['global-tolerance', 'An invoice under the tolerance of the tenant', other],
    ['no-tolerance', 'An invoice without any tolerance', { headers: southern }],
  ];
}

const missingTenant: Example = ['missing-tenant', 'The tenant header is missing', { headers: { tenant: undefined } }];

function ofProtected({ readOnly, noSupplier, inactiveUser, endedSession }: OtherTokens, access: string): Example[] {
  return [
    missingTenant,
    ['UNAUTHORIZED', 'The access token is missing or invalid', { headers: { Authorization: undefined } }],
    ['invalid-key', 'The API key is missing or not valid', { headers: { 'X-API-Key': undefined } }],
    ['inactive-user', 'The user is not active', { headers: bearer(inactiveUser) }],
    ['ended-session', 'The session has ended', { headers: bearer(endedSession) }],
    ['FORBIDDEN', 'The user belongs to no supplier', { headers: bearer(noSupplier) }],
    ...(access === 'write'
      ? [['missing-permission', 'The user may not declare', { headers: bearer(readOnly) }] satisfies Example]
      : []),
    ['COMPANY_SUSPENDED', 'The company account is suspended', { headers: { 'X-API-Key': suspendedKey } }],
  ];
}

const ofLegacy: readonly Example[] = [
  ['UNAUTHORIZED', 'A wrong password', legacyCaller({ Password: 'wrong' })],
  ['FORBIDDEN', 'The user belongs to no supplier', legacyCaller({ Usuario: 'elena@demo.example' })],
  ['COMPANY_SUSPENDED', 'The company account is suspended', legacyCaller(suspendedUser)],
];

/**
 * What is shown of an operation that does not depend on the state of the service; `access` is what an operation of the
 * current interface takes, null for the login.
 */
export function casesOf(
  operationId: string,
  request: SampleRequest,
  access: AccessKind | 'legacy' | null,
  others: OtherTokens,
): Case[] {
  const tolerances = operationId === 'get-invoice' ? ofTolerances(others) : [];
  const ofAccess = access === null ? [missingTenant] : ofProtected(others, access);
  const examples = [...(OWN[operationId] ?? []), ...tolerances, ...(access === 'legacy' ? ofLegacy : ofAccess)];
  return examples.map(([name, summary, change]) => ({ operationId, name, summary, request: changed(request, change) }));
}

/** A request with another header, parameter, last segment of its path, or field of its body. */
export function changed(request: SampleRequest, { headers, query, lastSegment, body }: Change): SampleRequest {
  const url = new URL(request.path, 'http://service');
  if (lastSegment !== undefined) url.pathname = url.pathname.replace(/[^/]+$/, lastSegment);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const sent = Object.entries({ ...request.headers, ...headers }).filter(([, value]) => value !== undefined);
  return {
    ...request,
    path: url.pathname + url.search,
    headers: Object.fromEntries(sent) as Record<string, string>,
    ...(body && request.body !== undefined && { body: JSON.stringify({ ...JSON.parse(request.body), ...body }) }),
  };
}
