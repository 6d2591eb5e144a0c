import { describe, expect, it } from 'vitest';
import { matchRoute } from '../../../infra/local/proxy-event.ts';

const routes = [
  { method: 'GET', path: '/v1.0/invoices/{id}', functionId: 'Get' },
  { method: 'POST', path: '/v1.0/invoices/declare', functionId: 'Declare' },
];

describe('matchRoute', () => {
  it('decodes the value of a variable segment', () => {
    const match = { functionId: 'Get', resource: '/v1.0/invoices/{id}', parameters: { id: 'a/b' } };
    expect(matchRoute(routes, 'GET', '/v1.0/invoices/a%2Fb')).toEqual(match);
  });

  it.each([
    ['a literal segment has another character in place of a dot', 'GET', '/v1x0/invoices/1'],
    ['a variable segment is empty', 'GET', '/v1.0/invoices/'],
    ['the path has one more segment', 'GET', '/v1.0/invoices/1/'],
    ['only a less specific resource has the method', 'GET', '/v1.0/invoices/declare'],
  ])('finds no route if %s', (_, method, path) => {
    expect(matchRoute(routes, method, path)).toBeUndefined();
  });
});
