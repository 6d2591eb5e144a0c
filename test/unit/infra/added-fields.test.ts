import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../infra/openapi/read-document.ts';
import type { Operation } from '../../../infra/openapi/operation.ts';
import { uuid } from '../../../lib/contracts/formats.ts';
import { schemaFaults } from '../../support/answers/contract-faults.ts';

const document = readDocument('en') as { paths: Record<string, Record<string, Operation>> };
const ajv = new Ajv2020({ strict: false, formats: { uuid } });
ajv.addSchema(document, 'openapi');

const answers = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.entries(content['application/json'].examples ?? {}).map(([name, { value }]) => {
        const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
        return { operationId, name, value, pointer };
      }),
    ),
  ),
);

/** The value with another field in every object. */
function withAddedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAddedFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withAddedFields(field)]);
  return { ...Object.fromEntries(fields), added_later: 'new' };
}

describe('fields that are added to answers later', () => {
  it('are allowed by the document, at every place of every answer, so that strict clients go on', () => {
    expect(answers.length).toBeGreaterThan(100);
    for (const { operationId, name, value, pointer } of answers) {
      const path = pointer.map((key) => encodeURIComponent(key.replaceAll('/', '~1'))).join('/');
      const isValid = ajv.compile({ $ref: `openapi#/${path}` })(withAddedFields(value));
      expect(isValid, `${operationId}: ${name}`).toBe(true);
    }
  });

  it('are refused by the check of our own answers, at every place but a map of messages', () => {
    for (const { operationId, name, value, pointer } of answers) {
      for (const variant of withOneField(value)) {
        expect(schemaFaults(pointer, JSON.stringify(variant)), `${operationId}: ${name}`).not.toEqual([]);
      }
    }
  });
});

/** The value with another field in one of its objects, for each of them; the messages of a fault may be any. */
function withOneField(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, part]) =>
    key === 'constraints'
      ? []
      : withOneField(part).map((changed) =>
          Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed },
        ),
  );
  return Array.isArray(value) ? inside : [{ ...value, added_later: 'new' }, ...inside];
}
