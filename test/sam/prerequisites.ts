/** Ends with 77, the exit code of a skipped test, if SAM cannot run. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const prerequisites = [
  { command: ['docker', 'info'], missing: 'no Docker engine responds (on Debian: apt-get install docker.io)' },
  { command: ['sam', '--version'], missing: 'the SAM CLI is not on the PATH (pip install aws-sam-cli)' },
  { command: ['socat', '-V'], missing: 'socat is not on the PATH (on Debian: apt-get install socat)' },
] as const;

const checks = prerequisites.map(({ command: [program, argument], missing }) =>
  promisify(execFile)(program, [argument]).then(
    () => [],
    () => [missing],
  ),
);
const missing = (await Promise.all(checks)).flat();
if (missing.length > 0) {
  console.error(`skipped: ${missing.join('; ')}.`);
  process.exit(77);
}
