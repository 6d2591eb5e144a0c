/** Ends with 77, the exit code of a skipped test, if there is no Chromium. */
import { spawnSync } from 'node:child_process';
import { chromiumProgram } from './reference-page.ts';

if (spawnSync(chromiumProgram, ['--version']).status !== 0) {
  console.error(
    `skipped: no Chromium at ${chromiumProgram} (on Debian: apt-get install chromium; elsewhere: CHROMIUM_BIN=/path/to/chromium).`,
  );
  process.exit(77);
}
