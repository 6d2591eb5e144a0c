/** Ends with 77, the exit code of a skipped test, where a program is missing. */
import { missingPrograms } from './programs.ts';

const missing = await missingPrograms();
if (missing.length > 0) {
  console.error(
    `skipped: no ${missing.join(', no ')} (on Debian: apt-get install curl python3-requests php-cli php-curl; PYTHON=/path/to/python names another Python).`,
  );
  process.exit(77);
}
