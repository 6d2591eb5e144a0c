import { expect, it } from 'vitest';
import { readDocument } from '../../../infra/openapi/published-documents.ts';

it('the document allows additional fields everywhere, so that clients accept fields of a later version', () => {
  const text = JSON.stringify(readDocument('en').components.schemas);
  expect(text).not.toContain('"additionalProperties":false');
  expect(text).not.toContain('"maxProperties":0');
});
