import { afterEach, expect, it, vi } from 'vitest';
import { readOptions } from '../../../infra/process/read-options.ts';

const usage = `Usage: npm run tool -- [--name TEXT] [--count N]

Does something.`;
const options = {
  name: { type: 'string' },
  count: { type: 'string', default: '1' },
  'dry-run': { type: 'boolean' },
} as const;
const originalArgs = process.argv;

afterEach(() => {
  process.argv = originalArgs;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Runs readOptions with these arguments. Returns its result or the message of its error, and the output. */
function read(args: readonly string[], setting?: { allowPositionals: boolean }) {
  process.argv = ['node', 'tool.ts', ...args];
  const printed = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}`);
  });
  const parseCount = (text: string) => {
    if (text === '0') throw new Error('Count from 1.');
    return Number(text);
  };
  const parse = ({ name, count }: { name?: string; count: string }, others: readonly string[]) => {
    if (others.length > 1) throw new Error('Name one folder.');
    return { name, count: parseCount(count), others: [...others] };
  };
  let result: unknown;
  try {
    result = readOptions({ usage, options, parse, ...setting });
  } catch (error) {
    result = (error as Error).message;
  }
  const [stdout, stderr] = printed.map(({ mock }) => mock.calls.map(([text]) => String(text)).join(''));
  return { result, stdout, stderr };
}

it.each([
  [['--count', '3'], { name: undefined, count: 3, others: [] }],
  [['--name=a b'], { name: 'a b', count: 1, others: [] }],
  [['folder'], { name: undefined, count: 1, others: ['folder'] }],
])('a command line is read into options and other words: %j', (args, result) => {
  expect(read(args, { allowPositionals: true })).toEqual({ result, stdout: '', stderr: '' });
});

it.each<[string[], string, { allowPositionals: boolean }?]>([
  [['--nmae', 'x'], "Unknown option '--nmae'. "],
  [['--name'], "Option '--name <value>' argument missing"],
  [['word'], "Unexpected argument 'word'"],
  [['--count', '0'], 'Count from 1.'],
  [['a', 'b'], 'Name one folder.', { allowPositionals: true }],
  // The message of Node.js also explains how to write a word that begins with a dash.
  [['--nmae'], "Unknown option '--nmae'", { allowPositionals: true }],
])('a script ends with code 2, and prints the reason and the usage in one line, for %j', (args, reason, setting) => {
  const { result, stdout, stderr } = read(args, setting);
  expect({ result, stdout }).toEqual({ result: 'ended with 2', stdout: '' });
  expect(stderr).toMatch(/^.{1,80} Usage: npm run tool -- \[--name TEXT\] \[--count N\]\n$/);
  expect(stderr).toContain(reason);
});

it('a script rejects an option that npm has read as its own, with a line that names "--"', () => {
  vi.stubEnv('npm_config_dry_run', 'true');
  const { result, stderr } = read([]);
  expect({ result, stderr }).toEqual({
    result: 'ended with 2',
    stderr: `npm has read --dry-run as its own option: pass it after "--". ${usage.split('\n')[0]}\n`,
  });
});

it.each(['--help', '-h'])('a script prints the usage and ends with code 0 if its arguments contain %s', (help) => {
  expect(read(['--nmae', help])).toEqual({ result: 'ended with 0', stdout: `${usage}\n`, stderr: '' });
});
