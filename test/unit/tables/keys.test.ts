import { expect, it } from 'vitest';
import { directoryKeys } from '../../../lib/tables/keys.ts';

it('the item of a tenant, which every request reads, is not in the partition of its other items', () => {
  const { pk } = directoryKeys.tenant('a.example');
  const others = [directoryKeys.company('a.example', '1'), directoryKeys.user('a.example', '2')];
  expect(others.map((other) => other.pk)).toEqual(['TENANT#a.example', 'TENANT#a.example']);
  expect(pk).toBe('TENANT#a.example#TENANT');
});
