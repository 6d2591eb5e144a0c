const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether nobody else can read what is sent to this address: it is HTTPS, or HTTP that does not leave this machine. */
export function isConfidential(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** Throws a TypeError that names the first value that no header can hold; the message of fetch would quote it. */
export function checkHeaders(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    try {
      new Headers().set('x', value);
    } catch {
      throw new TypeError(`${name} has characters that cannot be sent in a header.`);
    }
  }
}
