import { expect, it } from 'vitest';
import { contractDocs, type ContractName } from '../../../infra/routes.ts';
import {
  RESPONSE_NAMES,
  type FieldNames,
  LEGACY_NAMES,
  type LegacyNames,
  toCurrentNames,
  toLegacyFault,
  toLegacyNames,
} from '../../../lib/legacy/protocol.ts';

const names: FieldNames = { declarations: 'Declaraciones', invoice_id: 'IdFactura', amount: 'Importe' };

it('toCurrentNames renames the fields of a legacy request, also in lists, and keeps their values', () => {
  const Declaraciones = [{ IdFactura: '1', Importe: 2 }, { Importe: { Importe: 3 } }];
  expect(toCurrentNames({ Importe: null, Declaraciones }, names)).toEqual({
    amount: null,
    declarations: [{ invoice_id: '1', amount: 2 }, { amount: { Importe: 3 } }],
  });
});

it('toCurrentNames removes unknown fields of a legacy request, also if they have names of the current interface', () => {
  const input = { invoice_id: '1', Otro: 1, WSAutorizacion: {}, Declaraciones: [{ amount: 1, Importe: 2 }] };
  expect(toCurrentNames(input, names)).toEqual({ declarations: [{ amount: 2 }] });
});

it.each([null, 7, 'x', true, [[{ IdFactura: '1' }]]])(
  'toCurrentNames returns a value that is not an object, or not a list, unchanged for the schema validation: %j',
  (input) => {
    expect(toCurrentNames(input, names)).toBe(input);
    expect(toCurrentNames({ Declaraciones: [input] }, names)).toEqual({ declarations: [input] });
    const notList = Array.isArray(input) ? { 0: {} } : input;
    expect(toCurrentNames({ Declaraciones: notList }, names)).toEqual({ declarations: notList });
  },
);

it('toCurrentNames reads no fields from a prototype', () => {
  const input = JSON.parse('{"__proto__": {"IdFactura": "1"}, "constructor": 1, "Importe": 2}');
  expect(toCurrentNames(input, names)).toEqual({ amount: 2 });
  expect(toCurrentNames(Object.create({ IdFactura: '1' }), names)).toEqual({});
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
])('toLegacyFault renames the property %s to %s and keeps its constraints', (property, legacyName) => {
  const constraints = { type: { en: 'must be number', es: 'debe ser un número' } };
  expect(toLegacyFault({ property, constraints }, names)).toEqual({ property: legacyName, constraints });
});

it('toLegacyNames renames every field of a response at any depth, and keeps the values', () => {
  const response = { rows: [{ total: 0, city: null }, { city: 'total' }], tolerance: { auto_approve: false } };
  const Facturas = [{ Total: 0, Ciudad: null }, { Ciudad: 'total' }];
  const Tolerancia = { AprobacionAutomatica: false };
  expect(toLegacyNames(response, RESPONSE_NAMES)).toEqual({ Facturas, Tolerancia });
});

it('toLegacyNames throws for a response field without a legacy name', () => {
  expect(() => toLegacyNames({ rows: [{ new_field: 1 }] }, RESPONSE_NAMES)).toThrow('new_field');
});

const operations = Object.entries<LegacyNames>(LEGACY_NAMES);

it.each(operations)('%s has a Pascal-case name for every field of its request', (_name, { contract, request }) => {
  expect(Object.keys(request).toSorted()).toEqual(listObjectFields(contract.request).flat().toSorted());
  expect(Object.values(request).filter((legacyName) => !PASCAL_CASE.test(legacyName ?? ''))).toEqual([]);
});

it.each(operations)('%s has a unique Pascal-case name for every field of its response', (_name, { contract }) => {
  // A response contains Resultado, the data and, for a list, the page.
  const { response, isPaged } = contractDocs[contract.name as ContractName];
  const page = isPaged ? { total: {}, limit: {}, offset: {} } : {};
  const schema = { ...response, properties: { ...(response['properties'] as object), ...page } };
  const isOmitted = (field: string) => RESPONSE_NAMES[field] === null;
  const included = JSON.stringify(schema, (field, inner: unknown) => (isOmitted(field) ? undefined : inner));
  const objects = listObjectFields(JSON.parse(included));
  expect(objects.length).toBeGreaterThan(0);
  for (const fields of objects) {
    const legacyNames = fields.map((field) => RESPONSE_NAMES[field]);
    expect(legacyNames.filter((name) => !PASCAL_CASE.test(name ?? ''))).toEqual([]);
    expect(new Set(legacyNames).size).toBe(legacyNames.length);
    expect(legacyNames).not.toContain('Resultado');
  }
});

const PASCAL_CASE = /^([A-Z][a-z]+)+$/;

function listObjectFields(schema: unknown): string[][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  const inner = Object.values(schema).flatMap(listObjectFields);
  const fields = Object.keys(properties ?? {});
  return fields.length > 0 ? [fields, ...inner] : inner;
}
