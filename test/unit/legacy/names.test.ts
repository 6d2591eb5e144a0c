import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../lib/contracts/contract.ts';
import {
  RESPONSE_NAMES,
  type FieldNames,
  LEGACY_NAMES,
  type LegacyNames,
  toCurrentNames,
  toLegacyFault,
  toLegacyNames,
} from '../../../lib/legacy/protocol.ts';

const names: FieldNames = {
  IdFactura: 'invoice_id',
  Importe: 'amount',
  Declaraciones: ['declarations', { IdFactura: 'invoice_id', Importe: 'amount' }],
};

describe('a legacy request', () => {
  it('has its fields renamed, in lists too, and their values kept as they are', () => {
    const Declaraciones = [{ IdFactura: '1', Importe: 2 }, { Importe: { Importe: 3 } }];
    expect(toCurrentNames({ Importe: null, Declaraciones }, names)).toEqual({
      amount: null,
      declarations: [{ invoice_id: '1', amount: 2 }, { amount: { Importe: 3 } }],
    });
  });

  it('loses the fields that the operation does not have, those of the current interface among them', () => {
    const input = { invoice_id: '1', Otro: 1, WSAutorizacion: {}, Declaraciones: [{ amount: 1, Importe: 2 }] };
    expect(toCurrentNames(input, names)).toEqual({ declarations: [{ amount: 2 }] });
  });

  it.each([null, 7, 'x', true, [[{ IdFactura: '1' }]]])(
    'that is no object, itself or in a list, is left for the schema to judge, and so is what is no list: %j',
    (input) => {
      expect(toCurrentNames(input, names)).toBe(input);
      expect(toCurrentNames({ Declaraciones: [input] }, names)).toEqual({ declarations: [input] });
      const noList = Array.isArray(input) ? { 0: {} } : input;
      expect(toCurrentNames({ Declaraciones: noList }, names)).toEqual({ declarations: noList });
    },
  );

  it('takes nothing from a prototype', () => {
    const input = JSON.parse('{"__proto__": {"IdFactura": "1"}, "constructor": 1, "Importe": 2}');
    expect(toCurrentNames(input, names)).toEqual({ amount: 2 });
    expect(toCurrentNames(Object.create({ IdFactura: '1' }), names)).toEqual({});
  });
});

it.each([
  ['amount', 'Importe'],
  ['declarations', 'Declaraciones'],
  ['declarations[3]', 'Declaraciones[3]'],
  ['declarations[12].amount', 'Declaraciones[12].Importe'],
  ['declarations[0].invoice_id', 'Declaraciones[0].IdFactura'],
  ['body', 'body'],
  ['Content-Type', 'Content-Type'],
  ['WSAutorizacion.Guid', 'WSAutorizacion.Guid'],
])('a legacy fault on %s names %s, with the same constraints', (property, legacyName) => {
  const constraints = { type: { en: 'must be number', es: 'debe ser un número' } };
  expect(toLegacyFault({ property, constraints }, names)).toEqual({ property: legacyName, constraints });
});

describe('a legacy answer', () => {
  it('has every field renamed, whatever it is in, and its values kept as they are', () => {
    const answer = { rows: [{ total: 0, city: null }, { city: 'total' }], tolerance: { auto_approve: false } };
    const Facturas = [{ Total: 0, Ciudad: null }, { Ciudad: 'total' }];
    const Tolerancia = { AprobacionAutomatica: false };
    expect(toLegacyNames(answer, RESPONSE_NAMES)).toEqual({ Facturas, Tolerancia });
  });

  it('does not go out with a field that has no name', () => {
    expect(() => toLegacyNames({ rows: [{ new_field: 1 }] }, RESPONSE_NAMES)).toThrow('new_field');
  });
});

const operations = Object.entries<LegacyNames>(LEGACY_NAMES);

describe('the operations of the legacy protocol', () => {
  it.each(operations)('%s has a Pascal-case name for every field of its request', (_name, { contract, request }) => {
    const fields = namesIn(request);
    expect(fields.map(([, current]) => current).toSorted()).toEqual(objectsIn(contract.request).flat().toSorted());
    expect(fields.filter(([legacyName]) => !PASCAL_CASE.test(legacyName))).toEqual([]);
  });

  it.each(operations)('%s has a name for every field of its answer, each once in its object', (_name, { contract }) => {
    // Beside Resultado stand the data, and what a list says of its page.
    const { response, isPaged }: Contract = contract;
    const page = isPaged ? { total: {}, limit: {}, offset: {} } : {};
    const schema = { ...response, properties: { ...(response['properties'] as object), ...page } };
    const isLeftOut = (field: string) => RESPONSE_NAMES[field] === null;
    const shown = JSON.stringify(schema, (field, inner: unknown) => (isLeftOut(field) ? undefined : inner));
    const objects = objectsIn(JSON.parse(shown));
    expect(objects.length).toBeGreaterThan(0);
    for (const fields of objects) {
      const legacyNames = fields.map((field) => RESPONSE_NAMES[field]);
      expect(legacyNames.filter((name) => !PASCAL_CASE.test(name ?? ''))).toEqual([]);
      expect(new Set(legacyNames).size).toBe(legacyNames.length);
      expect(legacyNames).not.toContain('Resultado');
    }
  });
});

const PASCAL_CASE = /^([A-Z][a-z]+)+$/;

function objectsIn(schema: unknown): string[][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  const inner = Object.values(schema).flatMap(objectsIn);
  const fields = Object.keys(properties ?? {});
  return fields.length > 0 ? [fields, ...inner] : inner;
}

/** Each field of a request, with its name in both interfaces. */
function namesIn(fields: FieldNames): [legacyName: string, current: string][] {
  return Object.entries(fields).flatMap(([legacyName, name]): [string, string][] =>
    typeof name === 'string' ? [[legacyName, name]] : [[legacyName, name[0]], ...namesIn(name[1])],
  );
}
