import { describe, expect, it } from 'vitest';
import { headerOf, headerValues } from '../../../lib/http/headers.ts';

describe('a request header', () => {
  it.each(['X-API-Key', 'x-api-key', 'X-Api-Key'])('is found whatever the case of its name: %s', (name) => {
    expect(headerOf({ headers: { Accept: '*/*', [name]: 'secret' } }, 'x-api-key')).toBe('secret');
  });

  it('is trimmed, and missing when it is blank', () => {
    const found = [' demo.example ', '  ', undefined].map((tenant) => headerOf({ headers: { tenant } }, 'tenant'));
    expect(found).toEqual(['demo.example', undefined, undefined]);
  });

  it('has all its values, in the order in which they were sent, where it may be sent several times [error-envelope/message]', () => {
    const multiValueHeaders = { 'Accept-Language': ['fr', 'es'], Accept: ['*/*'], 'accept-language': ['de'] };
    expect(headerValues({ multiValueHeaders }, 'accept-language')).toEqual(['fr', 'es', 'de']);
    for (const none of [{}, null])
      expect(headerValues({ multiValueHeaders: none } as never, 'accept-language')).toEqual([]);
  });
});
