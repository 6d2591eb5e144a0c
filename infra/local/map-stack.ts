import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { readOptions } from '../process/read-options.ts';
import { CommandError, exitWithError, print } from '../process/terminal.ts';
import { readStack } from './read-stack.ts';
import { synthesize } from './synthesize.ts';

const USAGE = `Usage: npm run -s stack -- [FUNCTION] < LOGLINE

Prints the stack of the error in a log line of a deployed function, with the files and lines of the sources. First check
out the deployed version (the output Version of the stack).

  FUNCTION  the function that wrote the line, such as publish-events, if the line has no "endpoint"`;

/** An error in a log line, as the logger describes it. */
interface LoggedError {
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** A position in a bundle, such as `/var/task/index.js:1:2345`. Lambda extracts the code of functions to /var/task. */
const BUNDLE_POSITION = /\/var\/task\/index\.js:(\d+):(\d+)/g;

const functionName = readOptions(USAGE, {}, (_, words) => words[0], { takesWords: true });
try {
  await synthesize({ quiet: true });
  const lines = (await text(process.stdin)).split('\n');
  for (const line of lines) {
    if (line.trim() !== '') print(mapLine(line));
  }
} catch (error) {
  exitWithError(error);
}

/** Returns the stacks of a log line, those of causes last. A line that is not JSON is a line of a stack itself. */
function mapLine(line: string): string {
  if (!line.startsWith('{')) return mapPositions(line, functionName);
  const { endpoint, error } = JSON.parse(line) as { endpoint?: string; error?: LoggedError };
  const stacks: string[] = [];
  for (let current = error; current !== undefined; current = current.cause) stacks.push(current.stack ?? '');
  if (stacks.length === 0) throw new CommandError('The line has no error.');
  return mapPositions(stacks.join('\nCaused by: '), functionName ?? endpoint);
}

/** Replaces each position in the bundle of a function with the file and the line of the source. */
function mapPositions(stack: string, name: string | undefined): string {
  if (name === undefined) throw new CommandError('The line has no "endpoint". Add the name of the function.');
  const definition = readStack().functions.find((candidate) => candidate.name === name);
  if (definition === undefined) throw new CommandError(`There is no function ${name}.`);
  const { codeFolder } = definition;
  const map = new SourceMap(JSON.parse(readFileSync(join(codeFolder, 'index.js.map'), 'utf8')));
  // Numbers in a stack begin at 1, numbers in a source map at 0.
  return stack.replaceAll(BUNDLE_POSITION, (position, line: string, column: string) => {
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return position;
    const file = relative(process.cwd(), resolve(codeFolder, entry.originalSource));
    return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
