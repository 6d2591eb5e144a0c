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

/** The text of the value with another field in the object at this place, or in all; the messages of a fault may be any. */
function withField(value: unknown, place?: number): string {
  let places = 0;
  const added = JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    const isObject = typeof part === 'object' && part !== null && !Array.isArray(part) && key !== 'constraints';
    return isObject && [undefined, places++].includes(place) ? { ...part, added_later: 'new' } : part;
  });
  return JSON.stringify(added);
}

describe('fields that are added to answers later', () => {
  it('are allowed by the document, at every place of every answer, so that strict clients go on', () => {
    expect(answers.length).toBeGreaterThan(100);
    for (const { operationId, name, value, pointer } of answers) {
      const path = pointer.map((key) => encodeURIComponent(key.replaceAll('/', '~1'))).join('/');
      const isValid = ajv.compile({ $ref: `openapi#/${path}` })(JSON.parse(withField(value)));
      expect(isValid, `${operationId}: ${name}`).toBe(true);
    }
  });

  it('are refused by the check of our own answers, at every place but a map of messages', () => {
    for (const { operationId, name, value, pointer } of answers) {
      let place = 0;
      for (let body = ''; (body = withField(value, place)) !== JSON.stringify(value); place++)
        expect(schemaFaults(pointer, body), `${operationId}: ${name}`).not.toEqual([]);
      expect(place).toBeGreaterThan(0);
    }
  });
});
