/** Throws a TypeError that names the first of the values that cannot be sent in a header: what fetch says would quote it. */
export function checkHeaders(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    try {
      new Headers().set('x', value);
    } catch {
      throw new TypeError(`${name} has characters that cannot be sent in a header.`);
    }
  }
}
