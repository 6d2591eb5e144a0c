/**
 * The address in front of `/apidev` for a page that the API itself serves: all before the last `/docs/` of its path.
 */
export function apiRootOf(pageAddress: string): string {
  const { origin, pathname } = new URL(pageAddress);
  return origin + pathname.slice(0, pathname.lastIndexOf('/docs/'));
}
