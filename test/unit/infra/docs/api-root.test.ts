import { expect, it } from 'vitest';
import { apiRootOf } from '../../../../infra/docs/page/choices.ts';

it.each([
  ['http://127.0.0.1:3000/docs/', 'http://127.0.0.1:3000'],
  ['http://127.0.0.1:3000/docs/es/#list-invoices', 'http://127.0.0.1:3000'],
  [
    'https://abc.execute-api.eu-west-1.amazonaws.com/live/docs/es/index.html',
    'https://abc.execute-api.eu-west-1.amazonaws.com/live',
  ],
  ['https://docs.portal.example/docs/index.html', 'https://docs.portal.example'],
  ['https://portal.example/docs/docs/index.html?q=/docs/#/docs/', 'https://portal.example/docs'],
])('a page at %s calls the API at %s', (page, root) => {
  expect(apiRootOf(page)).toBe(root);
});
