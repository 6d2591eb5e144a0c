import { expect, it } from 'vitest';
import { readDocument } from '../../../infra/openapi/read-document.ts';
import { schemaFaults } from '../../support/answers/contract-faults.ts';

it('the document allows additional fields everywhere, so that clients accept fields of a later version', () => {
  const text = JSON.stringify(readDocument('en').components.schemas);
  expect(text).not.toContain('"additionalProperties":false');
  expect(text).not.toContain('"maxProperties":0');
});

it('the check of our own responses rejects an additional field, and accepts any message of a constraint', () => {
  const error = (fields: object, constraints: object = { required: 'id is required' }) => {
    const details = [{ property: 'id', constraints }];
    return JSON.stringify({
      success: false,
      error: { code: 'VALIDATION_ERROR', message: 'Invalid', details, ...fields },
    });
  };
  const pointer = ['components', 'schemas', 'ValidationErrorAnswer'];
  expect(schemaFaults(pointer, error({}))).toEqual([]);
  expect(schemaFaults(pointer, error({}, { later: 'a message' }))).toEqual([]);
  expect(schemaFaults(pointer, error({ added_later: 'new' }))).not.toEqual([]);
});
