/** For processes of their own: one that is answered something undocumented says so, and ends with 99. */
import { takeFaults } from './checked-fetch.ts';

process.on('exit', () => {
  const faults = takeFaults();
  if (faults.length === 0) return;
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 99;
});
