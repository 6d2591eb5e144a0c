import { isIPv6 } from 'node:net';

/**
 * Converts the address of a client to the source that the guards of logins count. An IPv6 client can choose among all
 * addresses of a prefix of 64 bits, so the source of `2001:db8::7` is `2001:db8:0:0::/64`.
 */
export function toSource(address: string): string {
  // An IPv4 address in the form of IPv6, such as `::ffff:203.0.113.7`, is the address of one client.
  if (!isIPv6(address) || /^::ffff:|%/i.test(address)) return address;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':'));
  const zeros = Array<string>(8 - start.length - end.length).fill('0');
  const prefix = [...start, ...zeros, ...end].slice(0, 4).map((group) => Number(`0x${group || 0}`).toString(16));
  return `${prefix.join(':')}::/64`;
}
