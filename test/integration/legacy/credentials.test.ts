import { describe, expect, it } from 'vitest';
import { errorOf, legacyCallsOf, legacyRequests } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { type AccountOverrides, changeRecord, deleteRecord, seedAccount } from '../../support/data/seed.ts';

const portal = usePortal();

const detail = { IdFactura: '4711' };
const WRONG = [200, 'UNAUTHORIZED', 'Las credenciales no son válidas: revise Guid, Usuario y Password.'];
const INACTIVE = [200, 'UNAUTHORIZED', 'El usuario no está activo.'];
const SUSPENDED = [200, 'COMPANY_SUSPENDED', 'La cuenta de la empresa está suspendida.'];

async function newCaller(overrides?: AccountOverrides) {
  const account = await seedAccount(portal.engine, overrides);
  return { account, call: legacyCallsOf(portal.invoke, account) };
}

describe('a missing or malformed WSAutorizacion', () => {
  const Guid = crypto.randomUUID();
  it.each([
    ['legacy-auth/missing', {}, 'WSAutorizacion es obligatorio.'],
    ['legacy-auth/missing', { WSAutorizacion: 'x' }, 'WSAutorizacion no es del tipo esperado.'],
    ['legacy-auth/missing', [], 'body no es del tipo esperado.'],
    [
      'legacy-auth/Guid',
      { WSAutorizacion: { Guid: 'x', Usuario: 'u', Password: 'p' } },
      'WSAutorizacion.Guid no tiene el formato esperado.',
    ],
    [
      'legacy-auth/Usuario',
      { WSAutorizacion: { Guid, Usuario: '', Password: 'p' } },
      'WSAutorizacion.Usuario no puede estar vacío.',
    ],
    ['legacy-auth/Password', { WSAutorizacion: { Guid, Usuario: 'u' } }, 'WSAutorizacion.Password es obligatorio.'],
  ])(
    'is UNAUTHORIZED in a Resultado that says what is wrong [legacy-dispatch/WSAutorizacion] [$0]',
    async (_rule, body, what) => {
      const { call } = await newCaller();
      const message = `WSAutorizacion falta o está mal formada. ${what}`;
      expect(errorOf(await call('WSObtenerFactura', {}, { body }))).toEqual([200, 'UNAUTHORIZED', message]);
    },
  );
});

describe('wrong credentials', () => {
  it.each([
    ['an unknown Guid', { Guid: crypto.randomUUID() }, 'legacy-auth/Guid'],
    ['an unknown user', { Usuario: 'nobody@supplier.example' }, 'legacy-auth/Usuario'],
    ['a wrong password', { Password: 'wrong' }, 'legacy-auth/Password'],
  ])(
    'are told in one message, whatever is wrong: %s [legacy-auth/invalid] [$2]',
    async (_what, authorization, _rule) => {
      const { call } = await newCaller();
      expect(errorOf(await call('WSObtenerFactura', detail, { authorization }))).toEqual(WRONG);
    },
  );

  it("are told in the same message for another tenant's header, Guid or user, and for a tenant that was removed [legacy-auth/invalid]", async () => {
    const { account, call } = await newCaller();
    const stranger = await seedAccount(portal.engine);
    for (const request of [
      { headers: { tenant: stranger.scope.tenant } },
      { authorization: { Usuario: stranger.email } },
      { authorization: { Guid: stranger.apiKey } },
    ]) {
      expect(errorOf(await call('WSObtenerFactura', detail, request))).toEqual(WRONG);
    }
    await deleteRecord(portal.engine, account.keys.tenant);
    expect(errorOf(await call('WSObtenerFactura', detail))).toEqual(WRONG);
  });

  it('are told in the same message for a key or a user that is inactive, a suspended company and a user without a password', async () => {
    for (const overrides of [
      { user: { active: false } },
      { company: { status: 'SUSPENDED' } },
      { keyCompany: { status: 'SUSPENDED' } },
    ] as const) {
      const { call } = await newCaller(overrides);
      expect(errorOf(await call('WSObtenerFactura', detail, { authorization: { Password: 'wrong' } }))).toEqual(WRONG);
    }
    const ofInactiveKey = await newCaller({ apiKey: { status: 'INACTIVE' } });
    expect(errorOf(await ofInactiveKey.call('WSObtenerFactura', detail))).toEqual(WRONG);
    const { account, call } = await newCaller();
    await changeRecord(portal.engine, account.keys.account, { password_hash: undefined });
    expect(errorOf(await call('WSObtenerFactura', detail))).toEqual(WRONG);
  });
});

describe('right credentials', () => {
  it.each([
    ['an inactive user', { user: { active: false } }, INACTIVE],
    ['a suspended company', { company: { status: 'SUSPENDED' } }, SUSPENDED],
    ['a key of a suspended company', { keyCompany: { status: 'SUSPENDED' } }, SUSPENDED],
  ] as const)('of %s open no operation', async (_whose, overrides, refusal) => {
    const { call } = await newCaller(overrides);
    for (const [operation, fields] of legacyRequests) expect(errorOf(await call(operation, fields))).toEqual(refusal);
  });

  it.each(legacyRequests)(
    'without a supplier or the permission do not open %s [codes/FORBIDDEN/supplier] [codes/FORBIDDEN/permission]',
    async (operation, fields) => {
      const { call } = await newCaller({ supplier: null });
      const noSupplier = [200, 'FORBIDDEN', 'Esta operación requiere una cuenta de prestador.'];
      expect(errorOf(await call(operation, fields))).toEqual(noSupplier);

      const [needed, other] = operation.startsWith('WSDeclarar')
        ? ['APICLI_PORTALPROVEEDOR_WRITE', 'APICLI_PORTALPROVEEDOR_READ']
        : ['APICLI_PORTALPROVEEDOR_READ', 'APICLI_PORTALPROVEEDOR_WRITE'];
      const without = await newCaller({ user: { permissions: [other] } });
      const missing = [200, 'FORBIDDEN', 'El usuario no tiene el permiso que requiere esta operación.'];
      expect(errorOf(await without.call(operation, fields))).toEqual(missing);
      const admitted = await newCaller({ user: { permissions: [needed] } });
      expect((await admitted.call(operation, fields)).body.Resultado.Codigo).toMatch(/^(OK|NOT_FOUND)$/);
    },
  );
});
