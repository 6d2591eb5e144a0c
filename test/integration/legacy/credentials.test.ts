import { expect, it } from 'vitest';
import { openApi } from '../../support/answers/contract-faults.ts';
import { type AccountOverrides, deleteRecord, newId, seedAccount } from '../../support/data/seed.ts';
import { readError, createLegacyCaller, type LegacyRequest } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const portal = usePortal();

const INVALID = [200, 'UNAUTHORIZED', 'Las credenciales no son válidas: revise Guid, Usuario y Password.'];
const INACTIVE = [200, 'UNAUTHORIZED', 'El usuario no está activo.'];
const SUSPENDED = [200, 'COMPANY_SUSPENDED', 'La cuenta de la empresa está suspendida.'];
const NO_SUPPLIER = [200, 'FORBIDDEN', 'Esta operación requiere una cuenta de prestador.'];
const NO_PERMISSION = [200, 'FORBIDDEN', 'El usuario no tiene el permiso que requiere esta operación.'];
const NOT_FOUND = [200, 'NOT_FOUND', 'La factura no existe.'];

async function createCaller(overrides?: AccountOverrides) {
  const account = await seedAccount(portal.engine, overrides);
  const call = createLegacyCaller(portal.invoke, account);
  const callForError = async (request?: LegacyRequest) =>
    readError(await call('WSObtenerFactura', { IdFactura: '4711' }, request));
  return { account, callForError };
}

const Guid = crypto.randomUUID();
const wrap = (fields: object) => ({ WSAutorizacion: fields });
it.each([
  [{}, 'WSAutorizacion es obligatorio.'],
  [[], 'body debe ser un objeto.'],
  [wrap({ Guid: 'x', Usuario: 'u', Password: 'p' }), 'WSAutorizacion.Guid debe ser un UUID.'],
  [wrap({ Guid, Usuario: '', Password: 'p' }), 'WSAutorizacion.Usuario no debe tener menos de 1 carácter.'],
  [wrap({ Guid, Usuario: 'u' }), 'WSAutorizacion.Password es obligatorio.'],
])('a missing or malformed WSAutorizacion returns UNAUTHORIZED with the error in its message', async (body, error) => {
  proves('legacy-dispatch/WSAutorizacion', 'legacy-auth/missing', 'legacy-auth/Guid', 'legacy-auth/Usuario');
  proves('legacy-auth/Password');
  const { callForError } = await createCaller();
  const message = `WSAutorizacion falta o está mal formada. ${error}`;
  expect(await callForError({ body })).toEqual([200, 'UNAUTHORIZED', message]);
});

it('invalid credentials get the same message, whether unknown, wrong, deleted or of another tenant', async () => {
  proves('legacy-auth/invalid', 'legacy-auth/Guid', 'legacy-auth/Usuario', 'legacy-auth/Password');
  const { account, callForError } = await createCaller();
  const stranger = await seedAccount(portal.engine);
  for (const request of [
    { headers: { tenant: stranger.scope.tenant } },
    { headers: { tenant: account.scope.tenant }, authorization: { Guid: crypto.randomUUID() } },
    ...[{ Guid: crypto.randomUUID() }, { Guid: stranger.apiKey }].map((authorization) => ({ authorization })),
    ...[{ Usuario: 'nobody' }, { Usuario: stranger.email }].map((authorization) => ({ authorization })),
    { authorization: { Password: 'wrong' } },
  ]) {
    // Each request has its own address, because these failures would lock one address out.
    expect(await callForError({ ...request, sourceIp: newId() })).toEqual(INVALID);
  }
  await deleteRecord(portal.engine, account.keys.tenant);
  expect(await callForError()).toEqual(INVALID);
});

it('a legacy call accepts an e-mail or username as Usuario, a Guid in any case, and the tenant header of its own tenant', async () => {
  proves('legacy-auth/Usuario', 'legacy-auth/Guid');
  const username = `Íntegrador-${newId()}`;
  const { account, callForError } = await createCaller({ user: { username } });
  for (const request of [
    { authorization: { Usuario: account.email.toUpperCase() } },
    { authorization: { Usuario: ` ${username.normalize('NFD')}` } },
    { authorization: { Usuario: username.toLowerCase(), Guid: account.apiKey.toUpperCase() } },
    { headers: { tenant: '' } },
    { headers: { tenant: account.scope.tenant.toUpperCase() } },
  ])
    expect(await callForError(request)).toEqual(NOT_FOUND);
  // An empty tenant header is valid in the document, too.
  const { parameters } = JSON.parse(JSON.stringify(openApi)).paths['/apidev/legacy/WSObtenerFactura'].post;
  expect(parameters).toContainEqual(expect.objectContaining({ name: 'tenant', schema: { type: 'string' } }));
});

it.each<[string, AccountOverrides, unknown[]]>([
  ['an inactive user', { user: { active: false } }, INACTIVE],
  ['a suspended company', { company: { status: 'SUSPENDED' } }, SUSPENDED],
  ['a key of a suspended company', { keyCompany: { status: 'SUSPENDED' } }, SUSPENDED],
  ['a user without a supplier', { supplier: null }, NO_SUPPLIER],
  ['a user without the permission', { user: { permissions: ['APICLI_PORTALPROVEEDOR_WRITE'] } }, NO_PERMISSION],
])('valid credentials are rejected for %s', async (_who, overrides, expectedError) => {
  proves('codes/FORBIDDEN/supplier', 'codes/FORBIDDEN/permission');
  const { callForError } = await createCaller(overrides);
  expect(await callForError()).toEqual(expectedError);
});
