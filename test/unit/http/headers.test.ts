import { describe, expect, it } from 'vitest';
import { headerOf, headerValues, mediaTypeOf } from '../../../lib/http/headers.ts';

describe('a request header', () => {
  it.each(['X-API-Key', 'x-api-key', 'X-Api-Key'])('is found whatever the case of its name: %s', (name) => {
    expect(headerOf({ headers: { Accept: '*/*', [name]: 'secret' } }, 'x-api-key')).toBe('secret');
  });

  it('is trimmed, and missing when it is blank', () => {
    expect(headerOf({ headers: { tenant: ' demo.example ' } }, 'tenant')).toBe('demo.example');
    expect(headerOf({ headers: { tenant: '  ' } }, 'tenant')).toBeUndefined();
    expect(headerOf({ headers: {} }, 'tenant')).toBeUndefined();
  });
});

it.each(['application/json', 'Application/JSON ; charset=utf-8', ' application/json'])(
  'a media type has no case, parameters and space around it: %j',
  (value) => {
    expect(mediaTypeOf({ headers: { 'Content-Type': value } })).toBe('application/json');
  },
);

describe('a request header that may be sent several times', () => {
  it('has all its values, in the order in which they were sent [error-envelope/message]', () => {
    const multiValueHeaders = { 'Accept-Language': ['fr', 'es'], Accept: ['*/*'], 'accept-language': ['de'] };
    expect(headerValues({ multiValueHeaders }, 'accept-language')).toEqual(['fr', 'es', 'de']);
  });

  it('has none when it was not sent, nor any other', () => {
    expect(headerValues({ multiValueHeaders: {} }, 'accept-language')).toEqual([]);
    expect(headerValues({ multiValueHeaders: null } as never, 'accept-language')).toEqual([]);
  });
});
