import { expect, it } from 'vitest';
import { openApi } from '../../support/answers/contract-faults.ts';

it('the document allows additional fields everywhere, so that clients accept fields of a later version', () => {
  const text = JSON.stringify(openApi.components.schemas);
  expect(text).not.toContain('"additionalProperties":false');
  expect(text).not.toContain('"maxProperties":0');
});
