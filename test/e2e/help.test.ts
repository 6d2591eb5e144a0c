import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: Record<string, string> };

// The other scripts start programs of other projects, which have their own help.
const ownScripts = Object.entries(scripts).filter(([, command]) => /^(node|sh) [^&]+$/.test(command));

/** The command lines of scripts that are not run with `npm run`. Users run declare-csv from the package of the client. */
const COMMAND_LINES: Readonly<Record<string, string>> = { start: 'npm start', 'declare-csv': 'declare-csv' };

describe('npm run', () => {
  it.each(ownScripts)('npm run %s -- --help only prints the usage', { tags: 'long' }, async (name, command) => {
    const [program = '', ...words] = command.split(' ');
    const run = promisify(execFile)(program === 'node' ? process.execPath : program, [...words, '--help'], {
      cwd: root,
    });
    const { stdout, stderr } = await run;
    expect(stdout).toMatch(/^Usage: \S/);
    const commandLine = COMMAND_LINES[name] ?? `npm run ${name}`;
    expect(stdout.replaceAll('npm run -s ', 'npm run ')).toContain(commandLine);
    expect({ lines: stdout.split('\n').length > 3, stderr }).toEqual({ lines: true, stderr: '' });
  });
});
