import { expect, it } from 'vitest';
import { hashApiKey } from '../../../lib/auth/api-keys.ts';

it('hashes an API key with SHA-256, whatever the case of its letters', () => {
  const hash = '7a3e217212e3108e9e818c4a8d7763546ff512795ba025c214d846720d1500eb';
  expect(hashApiKey('0B1F7A3E-6C1D-4E0A-9C38-0F6B7D3B9A11')).toBe(hash);
  expect(hashApiKey('0b1f7a3e-6c1d-4e0a-9c38-0f6b7d3b9a11')).toBe(hash);
});
