import { describe, expect, it } from 'vitest';
import { errorOf, type LegacyCall, legacyCallsOf, legacyRequests } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import {
  type Account,
  type AccountOverrides,
  changeRecord,
  deleteRecord,
  seedAccount,
} from '../../support/data/seed.ts';

const portal = usePortal();

const detail = { IdFactura: '4711' };
const MALFORMED = 'WSAutorizacion falta o está mal formada.';
const WRONG = [200, 'UNAUTHORIZED', 'Las credenciales no son válidas: revise Guid, Usuario y Password.'];
const INACTIVE = [200, 'UNAUTHORIZED', 'El usuario no está activo.'];
const SUSPENDED = [200, 'COMPANY_SUSPENDED', 'La cuenta de la empresa está suspendida.'];

async function newCaller(overrides?: AccountOverrides): Promise<{ account: Account; call: LegacyCall }> {
  const account = await seedAccount(portal.engine, overrides);
  return { account, call: legacyCallsOf(portal.invoke, account) };
}

describe('a missing or malformed WSAutorizacion', () => {
  const Guid = crypto.randomUUID();
  it.each([
    [{}, 'WSAutorizacion es obligatorio.', 'legacy-auth/missing'],
    [{ WSAutorizacion: null }, 'WSAutorizacion no es del tipo esperado.', 'legacy-auth/missing'],
    [{ WSAutorizacion: 'x' }, 'WSAutorizacion no es del tipo esperado.', 'legacy-auth/missing'],
    [{ WSAutorizacion: { Usuario: 'u', Password: 'p' } }, 'WSAutorizacion.Guid es obligatorio.', 'legacy-auth/Guid'],
    [{ WSAutorizacion: { Guid, Password: 'p' } }, 'WSAutorizacion.Usuario es obligatorio.', 'legacy-auth/Usuario'],
    [{ WSAutorizacion: { Guid, Usuario: 'u' } }, 'WSAutorizacion.Password es obligatorio.', 'legacy-auth/Password'],
    [
      { WSAutorizacion: { Guid: 'x', Usuario: 'u', Password: 'p' } },
      'WSAutorizacion.Guid no tiene el formato esperado.',
      'legacy-auth/Guid',
    ],
    [
      { WSAutorizacion: { Guid: 7, Usuario: 'u', Password: 'p' } },
      'WSAutorizacion.Guid no es del tipo esperado.',
      'legacy-auth/Guid',
    ],
    [
      { WSAutorizacion: { Guid, Usuario: '', Password: 'p' } },
      'WSAutorizacion.Usuario no puede estar vacío.',
      'legacy-auth/Usuario',
    ],
    [
      { WSAutorizacion: { Guid, Usuario: 'u'.repeat(255), Password: 'p' } },
      'WSAutorizacion.Usuario es demasiado largo.',
      'legacy-auth/Usuario',
    ],
    [
      { WSAutorizacion: { Guid, Usuario: 'u', Password: '' } },
      'WSAutorizacion.Password no puede estar vacío.',
      'legacy-auth/Password',
    ],
    [[], 'body no es del tipo esperado.', 'legacy-auth/missing'],
    ['null', 'body no es del tipo esperado.', 'legacy-auth/missing'],
  ])(
    'is UNAUTHORIZED in a Resultado that says what is wrong: %j [legacy-dispatch/WSAutorizacion] [$2]',
    async (body, what, _rule) => {
      const { call } = await newCaller();
      expect(errorOf(await call('WSObtenerFactura', {}, { body }))).toEqual([
        200,
        'UNAUTHORIZED',
        `${MALFORMED} ${what}`,
      ]);
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

  it.each([
    { what: 'that is inactive', apiKey: { status: 'INACTIVE' } },
    { what: 'of a scope that is not valid', apiKey: { scope: 'FLEET' } },
    { what: 'before valid_from', apiKey: { valid_from: '2099-01-01T00:00:00.000Z' } },
    { what: 'after valid_until', apiKey: { valid_until: '2020-01-01T00:00:00.000Z' } },
  ] as const)(
    'are told in the same message for a Guid $what [legacy-auth/Guid] [legacy-auth/invalid]',
    async ({ apiKey }) => {
      const { call } = await newCaller({ apiKey });
      expect(errorOf(await call('WSObtenerFactura', detail))).toEqual(WRONG);
    },
  );

  it("are told in the same message for another tenant's header, Guid or user, and for a tenant that was removed [legacy-auth/invalid]", async () => {
    const { account, call } = await newCaller();
    const stranger = await seedAccount(portal.engine);
    for (const tenant of [stranger.scope.tenant, 'unknown.example']) {
      expect(errorOf(await call('WSObtenerFactura', detail, { headers: { tenant } }))).toEqual(WRONG);
    }
    const sameUser = { Usuario: stranger.email };
    expect(errorOf(await call('WSObtenerFactura', detail, { authorization: sameUser }))).toEqual(WRONG);
    const fresh = legacyCallsOf(portal.invoke, account);
    const otherGuid = { Guid: stranger.apiKey };
    expect(errorOf(await fresh('WSObtenerFactura', detail, { authorization: otherGuid }))).toEqual(WRONG);
    await deleteRecord(portal.engine, account.keys.tenant);
    expect(errorOf(await fresh('WSObtenerFactura', detail))).toEqual(WRONG);
  });

  it('are told in the same message for a user without a password, an inactive one and a suspended company', async () => {
    const authorization = { Password: 'wrong' };
    for (const overrides of [
      { user: { active: false } },
      { company: { status: 'SUSPENDED' } },
      { keyCompany: { status: 'SUSPENDED' } },
    ] as const) {
      const { call } = await newCaller(overrides);
      expect(errorOf(await call('WSObtenerFactura', detail, { authorization }))).toEqual(WRONG);
    }
    const { account, call } = await newCaller();
    await changeRecord(portal.engine, account.keys.account, { password_hash: undefined });
    expect(errorOf(await call('WSObtenerFactura', detail))).toEqual(WRONG);
  });
});

describe('right credentials', () => {
  it.each(legacyRequests)(
    'of an inactive user, or in a suspended company, do not open %s',
    async (operation, fields) => {
      for (const user of [
        { active: false },
        { license_active: false },
        { expires_at: '2020-01-01T00:00:00.000Z' },
        { permissions: [] },
      ]) {
        expect(errorOf(await (await newCaller({ user })).call(operation, fields))).toEqual(INACTIVE);
      }
      for (const overrides of [
        { company: { status: 'SUSPENDED' } },
        { keyCompany: { status: 'SUSPENDED' } },
      ] as const) {
        expect(errorOf(await (await newCaller(overrides)).call(operation, fields))).toEqual(SUSPENDED);
      }
    },
  );

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
