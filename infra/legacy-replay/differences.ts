/** Where an answer is not as recorded: the JSON path of a field, and what is wrong with it. */
export interface Difference {
  readonly path: string;
  readonly what: string;
}

/** The differences between a recorded body and the one that came, in the order of the recorded fields. */
export function differencesOf(expected: unknown, actual: unknown, path = ''): Difference[] {
  if (kindOf(expected) !== kindOf(actual)) {
    return [{ path, what: `is ${withKind(actual)}, recorded ${withKind(expected)}` }];
  }
  if (typeof expected !== 'object' || expected === null) {
    return expected === actual ? [] : [{ path, what: `is ${shown(actual)}, recorded ${shown(expected)}` }];
  }
  const [recorded, came] = [expected, actual] as Readonly<Record<string, unknown>>[];
  const names = new Set([...Object.keys(recorded!), ...Object.keys(came!)]);
  return [...names].flatMap((name) => {
    const below = Array.isArray(expected) ? `${path}[${name}]` : (path && `${path}.${name}`) || name;
    if (!Object.hasOwn(came!, name)) return [{ path: below, what: `is missing, recorded ${shown(recorded![name])}` }];
    if (!Object.hasOwn(recorded!, name))
      return [{ path: below, what: `is not recorded, but is ${shown(came![name])}` }];
    return differencesOf(recorded![name], came![name], below);
  });
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}

function withKind(value: unknown): string {
  return value === null ? 'null' : `${kindOf(value)} ${shown(value)}`;
}
