/** Ends with 77, the exit code of a skipped test, if a program is missing. */
import { spawnSync } from 'node:child_process';
import { programs } from './programs.ts';

const missing = Object.values(programs).filter(({ program, check }) => spawnSync(program, check).status !== 0);
if (missing.length > 0) {
  console.error(
    `skipped: no ${missing.map(({ needs }) => needs).join(', no ')} (on Debian: apt-get install python3-requests php-cli php-curl; PYTHON=/path/to/python names another Python).`,
  );
  process.exit(77);
}
