const GROUPS = 8;
const PREFIX_GROUPS = 4;

/**
 * Converts the address of a client to the source that the guards of logins count: the address itself or, of an IPv6
 * address, its prefix of 64 bits, because a client can choose among all addresses of the prefix.
 *
 * @example
 * toSource('203.0.113.7'); // '203.0.113.7'
 * toSource('2001:db8::1:0:0:7'); // '2001:db8:0:0::/64'
 */
export function toSource(address: string): string {
  const host = `http://[${address}]`;
  // An IPv4 address in the form of IPv6, such as `::ffff:203.0.113.7`, is the address of one client.
  if (!URL.canParse(host) || /^::ffff:/i.test(address)) return address;
  // The URL contains the shortest form: `2001:db8::7` for `2001:0DB8:0::7`.
  const [start = [], end = []] = new URL(host).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(GROUPS - start.length - end.length).fill('0');
  return `${[...start, ...zeros, ...end].slice(0, PREFIX_GROUPS).join(':')}::/64`;
}
