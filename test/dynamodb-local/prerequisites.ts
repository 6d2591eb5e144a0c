/** Ends with 77, the exit code of a skipped test, if DynamoDB Local cannot run. */
import { spawnSync } from 'node:child_process';
import { printError } from '../../infra/process/terminal.ts';

const MIN_JAVA = 17;

const readVersion = (program: string) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '';
const missing: string[] = [];
if (!(Number(/\d+/.exec(readVersion('java'))?.[0]) >= MIN_JAVA))
  missing.push(`no Java ${MIN_JAVA} or newer on the PATH (on Debian: apt-get install default-jre-headless)`);
if (readVersion('mvn') === '') missing.push('no Maven on the PATH (on Debian: apt-get install maven)');
if (missing.length > 0) {
  printError(`skipped: ${missing.join('; ')}.`);
  process.exit(77);
}
