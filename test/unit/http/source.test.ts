import { expect, it } from 'vitest';
import { toSource } from '../../../lib/http/source.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:db8::1:0:0:7', '2001:db8:0:0::/64'],
  ['0:0:1:2:3:4:5:6', '0:0:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['', ''],
])('the source of the address %j is %j', (address, source) => {
  expect(toSource(address)).toBe(source);
});
