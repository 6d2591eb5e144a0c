const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether nobody else can read what is sent to this address: it is HTTPS, or HTTP that does not leave this machine. */
export function isConfidential(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
}
