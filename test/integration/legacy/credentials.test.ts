import { describe, expect, it } from 'vitest';
import { type AccountOverrides, deleteRecord, newId, seedAccount } from '../../support/data/seed.ts';
import { readError, createLegacyCaller, type LegacyRequest } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();

const WRONG = [200, 'UNAUTHORIZED', 'Las credenciales no son válidas: revise Guid, Usuario y Password.'];
const INACTIVE = [200, 'UNAUTHORIZED', 'El usuario no está activo.'];
const SUSPENDED = [200, 'COMPANY_SUSPENDED', 'La cuenta de la empresa está suspendida.'];
const NO_SUPPLIER = [200, 'FORBIDDEN', 'Esta operación requiere una cuenta de prestador.'];
const NO_PERMISSION = [200, 'FORBIDDEN', 'El usuario no tiene el permiso que requiere esta operación.'];
const NOT_FOUND = [200, 'NOT_FOUND', 'La factura no existe.'];

async function newCaller(overrides?: AccountOverrides) {
  const account = await seedAccount(portal.engine, overrides);
  const call = createLegacyCaller(portal.invoke, account);
  const errorTo = async (request?: LegacyRequest, operation = 'WSObtenerFactura') =>
    readError(await call(operation, { IdFactura: '4711', Importe: 1 }, request));
  return { account, errorTo };
}

describe('a missing or malformed WSAutorizacion', () => {
  const Guid = crypto.randomUUID();
  const of = (fields: object) => ({ WSAutorizacion: fields });
  it.each([
    ['legacy-auth/missing', {}, 'WSAutorizacion es obligatorio.'],
    ['legacy-auth/missing', [], 'body debe ser un objeto.'],
    ['legacy-auth/Guid', of({ Guid: 'x', Usuario: 'u', Password: 'p' }), 'WSAutorizacion.Guid debe ser un UUID.'],
    [
      'legacy-auth/Usuario',
      of({ Guid, Usuario: '', Password: 'p' }),
      'WSAutorizacion.Usuario no debe tener menos de 1 carácter.',
    ],
    ['legacy-auth/Password', of({ Guid, Usuario: 'u' }), 'WSAutorizacion.Password es obligatorio.'],
  ])(
    'is UNAUTHORIZED in a Resultado that says what is wrong [legacy-dispatch/WSAutorizacion] [$0]',
    async (_rule, body, what) => {
      const { errorTo } = await newCaller();
      const message = `WSAutorizacion falta o está mal formada. ${what}`;
      expect(await errorTo({ body })).toEqual([200, 'UNAUTHORIZED', message]);
    },
  );
});

describe('wrong credentials', () => {
  it("are told in one message, whatever is unknown, wrong, another tenant's or removed [legacy-auth/invalid] [legacy-auth/Guid] [legacy-auth/Usuario] [legacy-auth/Password]", async () => {
    const { account, errorTo } = await newCaller();
    const stranger = await seedAccount(portal.engine);
    for (const request of [
      { headers: { tenant: stranger.scope.tenant } },
      { headers: { tenant: account.scope.tenant }, authorization: { Guid: crypto.randomUUID() } },
      ...[{ Guid: crypto.randomUUID() }, { Guid: stranger.apiKey }].map((authorization) => ({ authorization })),
      ...[{ Usuario: 'nobody' }, { Usuario: stranger.email }].map((authorization) => ({ authorization })),
      { authorization: { Password: 'wrong' } },
    ]) {
      // Each from an address of its own, which these failures would block.
      expect(await errorTo({ ...request, sourceIp: newId() })).toEqual(WRONG);
    }
    await deleteRecord(portal.engine, account.keys.tenant);
    expect(await errorTo()).toEqual(WRONG);
  });
});

describe('right credentials', () => {
  it('take an e-mail or a username as Usuario, a Guid in any case, and a tenant header only of its tenant [legacy-auth/Usuario] [legacy-auth/Guid]', async () => {
    const username = `Integrador-${newId()}`;
    const { account, errorTo } = await newCaller({ user: { username } });
    for (const request of [
      { authorization: { Usuario: account.email.toUpperCase() } },
      { authorization: { Usuario: username.toLowerCase(), Guid: account.apiKey.toUpperCase() } },
      { headers: { tenant: '' } },
      { headers: { tenant: account.scope.tenant.toUpperCase() } },
    ])
      expect(await errorTo(request)).toEqual(NOT_FOUND);
  });

  it.each<[string, AccountOverrides, unknown[]]>([
    ['an inactive user', { user: { active: false } }, INACTIVE],
    ['a suspended company', { company: { status: 'SUSPENDED' } }, SUSPENDED],
    ['a key of a suspended company', { keyCompany: { status: 'SUSPENDED' } }, SUSPENDED],
    ['a user without a supplier [codes/FORBIDDEN/supplier]', { supplier: null }, NO_SUPPLIER],
  ])('open nothing for %s', async (_whose, overrides, refusal) => {
    const { errorTo } = await newCaller(overrides);
    expect(await errorTo()).toEqual(refusal);
  });

  it.each([
    ['WSObtenerFactura', 'APICLI_PORTALPROVEEDOR_READ', 'APICLI_PORTALPROVEEDOR_WRITE'],
    ['WSDeclararFactura', 'APICLI_PORTALPROVEEDOR_WRITE', 'APICLI_PORTALPROVEEDOR_READ'],
  ])('open %s with the permission %s alone [codes/FORBIDDEN/permission]', async (operation, needed, other) => {
    const without = await newCaller({ user: { permissions: [other] } });
    expect(await without.errorTo({}, operation)).toEqual(NO_PERMISSION);
    const admitted = await newCaller({ user: { permissions: [needed] } });
    expect(await admitted.errorTo({}, operation)).toEqual(NOT_FOUND);
  });
});
