/** Ends with 77, the exit code of a skipped test, where a shell or the pseudo-terminal is missing. */
import { spawnSync } from 'node:child_process';
import { SHELLS } from '../support/guides/shell-blocks.ts';

const isThere = (program: string, args: readonly string[]) => spawnSync(program, args).status === 0;
const missing: string[] = SHELLS.filter((shell) => !isThere(shell, ['-c', 'true']));
// That of util-linux; others of this name take other options.
if (!isThere('script', ['-qfec', 'true', '/dev/null'])) missing.push('script (of util-linux)');

if (missing.length > 0) {
  console.error(`skipped: missing ${missing.join(', ')} (on Debian: apt-get install bash zsh dash bsdutils).`);
  process.exit(77);
}
