// Matches the ends of an object, and a text. A text before a colon is a name.
const OBJECT_TOKEN = /[{}]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g;

/** Finds a name that an object of a valid JSON text contains twice; JSON.parse would ignore the first value. */
export function findRepeatedName(json: string): string | null {
  const namesOfObjects: Set<string>[] = [];
  for (const [token, text = '', colon] of json.matchAll(OBJECT_TOKEN)) {
    if (token === '{') namesOfObjects.push(new Set());
    if (token === '}') namesOfObjects.pop();
    if (colon === undefined) continue;
    const name = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
    const names = namesOfObjects.at(-1);
    if (names?.has(name)) return name;
    names?.add(name);
  }
  return null;
}
