import { describe, expect, it } from 'vitest';
import { headerOf } from '../../../lib/http/headers.ts';

describe('a request header', () => {
  it.each(['X-API-Key', 'x-api-key', 'X-Api-Key'])('is found whatever the case of its name: %s', (name) => {
    expect(headerOf({ headers: { [name]: 'secret' } }, 'x-api-key')).toBe('secret');
  });

  it('is trimmed, and missing when it is blank', () => {
    expect(headerOf({ headers: { tenant: ' demo.example ' } }, 'tenant')).toBe('demo.example');
    expect(headerOf({ headers: { tenant: '  ' } }, 'tenant')).toBeUndefined();
    expect(headerOf({ headers: {} }, 'tenant')).toBeUndefined();
  });
});
