/** Ends with 77, the exit code of a skipped test, where DynamoDB Local cannot run. */
import { spawnSync } from 'node:child_process';
import { printError } from '../../infra/process/terminal.ts';

const OLDEST_JAVA = 17;

const versionOf = (program: string) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '';
const missing: string[] = [];
if (!(Number(/\d+/.exec(versionOf('java'))?.[0]) >= OLDEST_JAVA))
  missing.push(`no Java ${OLDEST_JAVA} or newer on the PATH (on Debian: apt-get install default-jre-headless)`);
if (versionOf('mvn') === '') missing.push('no Maven on the PATH (on Debian: apt-get install maven)');
if (missing.length > 0) {
  printError(`skipped: ${missing.join('; ')}.`);
  process.exit(77);
}
