/** Ends with 77, the exit code of a skipped test, where there is no Chromium. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromiumProgram } from './chromium.ts';

try {
  await promisify(execFile)(chromiumProgram, ['--version']);
} catch {
  console.error(
    `skipped: no Chromium at ${chromiumProgram} (on Debian: apt-get install chromium; elsewhere: CHROMIUM_BIN=/path/to/chromium).`,
  );
  process.exit(77);
}
