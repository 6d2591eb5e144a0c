/** Ends with 77, the exit code of a skipped test, where DynamoDB Local cannot run. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { printError } from '../../infra/terminal.ts';

const OLDEST_JAVA = 17;

const prerequisites = [
  {
    command: ['java', '--version'],
    isMet: (version: string) => Number(/\d+/.exec(version)?.[0]) >= OLDEST_JAVA,
    missing: `no Java ${OLDEST_JAVA} or newer on the PATH (on Debian: apt-get install default-jre-headless)`,
  },
  {
    command: ['mvn', '--version'],
    isMet: () => true,
    missing: 'no Maven on the PATH (on Debian: apt-get install maven)',
  },
] as const;

const checks = prerequisites.map(({ command: [program, argument], isMet, missing }) =>
  promisify(execFile)(program, [argument]).then(
    ({ stdout }) => (isMet(stdout) ? [] : [missing]),
    () => [missing],
  ),
);
const missing = (await Promise.all(checks)).flat();
if (missing.length > 0) {
  printError(`skipped: ${missing.join('; ')}.`);
  process.exit(77);
}
