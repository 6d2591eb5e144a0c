/** Replaces curl where it is not installed, for the examples in the guides. Supports `-sS`, `-H`, `-d` and a URL. */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
});
const headers = values.header.map((line): [string, string] => {
  const [name = '', value = ''] = line.split(/:\s*(.*)/s);
  return [name, value];
});
const response = await fetch(positionals[0]!, {
  method: values.data === undefined ? 'GET' : 'POST',
  headers,
  ...(values.data !== undefined && { body: values.data }),
});
process.stdout.write(await response.text());
