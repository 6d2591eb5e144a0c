import { ALL_ERROR_CODES } from '../../../lib/domain/errors.ts';
import { expect, it } from 'vitest';
import { contracts } from '../../../infra/routes.ts';
import { invoiceDetailData } from '../../../lib/contracts/response-data.ts';
import { outOfScope } from '../../rules/out-of-scope.ts';
import { rules } from '../../rules/rules.ts';

const ids = rules.map(([id]) => id);

it('every rule is listed once, or is out of scope', () => {
  const all = [...ids, ...Object.keys(outOfScope)];
  expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
});

it('the rules name each parameter of each endpoint, each field of an invoice and each error code', () => {
  const parameters = contracts.flatMap(({ name, request }) =>
    Object.keys(request['properties'] as object).map((parameter) => `${name}/${parameter}`),
  );
  const { concepts, tolerance, ...row } = invoiceDetailData.properties;
  const fields = [
    ...Object.keys(row).map((field) => `invoice-row/${field}`),
    ...Object.keys(concepts.items.properties).map((field) => `concept/${field}`),
    ...Object.keys(tolerance.properties).map((field) => `tolerance/${field}`),
  ];
  const codes = ALL_ERROR_CODES.map((code) => `codes/${code}`);
  expect(ids).toEqual(expect.arrayContaining([...parameters, ...fields, ...codes]));
});
