import { EventEmitter } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { HostProcess } from '../../../infra/ops/host-process.ts';
import { createProgram } from '../../../infra/ops/program.ts';
import { runScript, type ScriptRun, type ScriptSetting } from '../processes/run-script.ts';

/** How the command line is run: the variables that it sees, and what it reads. */
export interface OpsSetting {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
}

const program = createProgram({ host: process, exitCode: 0 });

/** The names of all commands. */
export const commandNames = program.commands.map((command) => command.name());

/** Runs the operators' command line within this process: it parses, prints and fails as it does in its own. */
export async function runCli(args: readonly string[], { env = {}, input = '' }: OpsSetting = {}): Promise<ScriptRun> {
  // Loaded here: with the handlers of a portal, all modules are loaded anew.
  const { runOps: run } = await import('../../../infra/ops/run-ops.ts');
  const stdin = Readable.from(Buffer.from(input), { objectMode: false }) as NodeJS.ReadStream;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  // Not as text, which would leave out a byte order mark.
  const printed = Promise.all([buffer(stdout), buffer(stderr)]);
  const host: HostProcess = Object.assign(new EventEmitter(), { env, stdin, stdout, stderr });
  const code = await run(args, host);
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, stdout: String(output), stderr: String(errors) };
}

/** The names of the commands that have an option. */
export const commandsWith = (option: string) =>
  program.commands
    .filter(({ options }) => options.some(({ long }) => long === option))
    .map((command) => command.name());

const asking = commandsWith('--yes');

/** Runs it on the engine at this address, as a script that is sure of what it does. */
export function runOps(endpoint: string, ...args: string[]): Promise<ScriptRun> {
  const sure = asking.includes(args[0] ?? '') ? ['--yes'] : [];
  return runCli([...args, ...sure, '--local'], { env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint } });
}

/** Runs it in a process of its own, as operators do. */
export function runOpsProcess(args: readonly string[], setting: ScriptSetting = {}): Promise<ScriptRun> {
  return runScript('infra/ops/cli.ts', args, setting);
}

/** The rows of a table as a command printed it; blanks that make columns, and empty cells, are gone. */
export function printedRows(text: string): string[][] {
  return text.split('\n').map((line) => line.split(/ {2,}/));
}

const TIME_OF_NOW = /(?<=(stopped_at|tokens_from): .*|stopped it at )\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A run with TIME wherever it tells when something was stopped or ended. */
export function timeless(run: ScriptRun): ScriptRun {
  return { ...run, stdout: run.stdout.replaceAll(TIME_OF_NOW, 'TIME') };
}
