/**
 * Creates a function that warns of the properties of a body that the service ignored, for example because of a typing
 * error. It prints each warning once. It prints none in production, or without a `process`, as in a browser.
 */
export function createIgnoredFieldsWarning(): (headers: Headers) => void {
  const printedFields = new Set<string>();
  return (headers) => {
    const fields = headers.get('X-Ignored-Fields');
    if (fields === null || printedFields.has(fields) || !isDevelopment()) return;
    printedFields.add(fields);
    // oxlint-disable-next-line no-console -- the warning is for the developer of the program
    console.warn(`The service ignored unknown properties: ${fields}.`);
  };
}

interface Platform {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

function isDevelopment(): boolean {
  const { process } = globalThis as Platform;
  return process?.env !== undefined && process.env['NODE_ENV'] !== 'production';
}
