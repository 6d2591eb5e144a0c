import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { yesOption } from '../../../infra/ops/command.ts';
import { createProgram } from '../../../infra/ops/run-ops.ts';
import { runScript, type ScriptRun, type ScriptSetting } from '../processes/run-script.ts';

export interface OpsSetting {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  /** The locale of the system; by default English. */
  readonly locale?: string;
  /** True if the input does not end, such as a pipe that stays open. */
  readonly isInputOpen?: boolean;
  /** Receives the signals that a test sends to the process. */
  readonly host?: EventEmitter;
}

/** The start of an export or of a list of changes that contains everything that a test wrote. */
export const SINCE_YESTERDAY = ['--since', new Date(Date.now() - 86_400_000).toISOString()] as const;

const program = createProgram({ host: process, args: [], exitCode: 0 });

export const commandNames = program.commands.map((command) => command.name());

/** Runs an operator command inside this process, with the same output and exit code as in a separate process. */
async function runWith(
  args: readonly string[],
  system: { readonly env: object; readonly locale?: string | undefined },
  streams: Record<'stdin' | 'stdout' | 'stderr', PassThrough>,
  host = new EventEmitter(),
) {
  // Imported here, because loadHandlers resets all modules.
  const { runOps: run } = await import('../../../infra/ops/run-ops.ts');
  const { stdout, stderr } = streams;
  // Read as bytes, because reading as text removes a BOM.
  const printed = Promise.all([buffer(stdout), buffer(stderr)]);
  const code = await run(args, Object.assign(host, { ...system, ...streams }) as never);
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, stdout: String(output), stderr: String(errors) };
}

export async function runCli(
  args: readonly string[],
  { env = {}, locale, input = '', isInputOpen = false, host }: OpsSetting = {},
): Promise<ScriptRun> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.write(input);
  if (!isInputOpen) stdin.end();
  const run = await runWith(args, { env, locale }, { stdin, stdout, stderr }, host);
  // An open input would prevent the end of a process.
  if (isInputOpen && !stdin.destroyed) throw new Error('The command did not close its input.');
  return run;
}

export const KEYS = { enter: '\r', ctrlC: '\u0003', ctrlD: '\u0004' } as const;

interface TerminalSetting {
  readonly isErrorShown?: boolean;
  readonly isOutputShown?: boolean;
  readonly answers?: Readonly<Record<string, string>>;
  readonly target?: readonly string[];
}

/** Runs a command on a terminal, and types these keys when it asks for confirmation. */
export function runOnTerminal(
  endpoint: string,
  args: readonly string[],
  keys: string,
  { isErrorShown = true, isOutputShown = true, answers = {}, target = ['--local'] }: TerminalSetting = {},
): Promise<ScriptRun> {
  const createStream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });
  const [stdin, stdout, stderr] = [createStream(true), createStream(isOutputShown), createStream(isErrorShown)];
  // The keys are typed after the question appears, because the command ignores earlier input.
  const keysByQuestion = Object.entries({ '[y/N]': keys, ...answers });
  stderr.on('data', (part) => {
    for (const [question, answer] of keysByQuestion) if (String(part).includes(question)) stdin.write(answer);
  });
  const env = { AWS_ENDPOINT_URL_DYNAMODB: endpoint, NO_COLOR: '1' };
  return runWith([...args, ...target], { env }, { stdin, stdout, stderr });
}

export const listCommandsWithOption = (option: string) =>
  program.commands
    .filter(({ options }) => options.some(({ long }) => long === option))
    .map((command) => command.name());

/** The commands that ask for confirmation on every target. */
const commandsWithConfirmation = program.commands
  .filter(({ options }) => options.includes(yesOption))
  .map((command) => command.name());

/** Runs a command on the engine at this address, with --yes if the command asks for confirmation. */
export function runOps(endpoint: string, ...args: string[]): Promise<ScriptRun> {
  const confirmation = commandsWithConfirmation.includes(args[0] ?? '') ? ['--yes'] : [];
  return runCli([...args, ...confirmation, '--local'], { env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint } });
}

export function runOpsProcess(args: readonly string[], setting: ScriptSetting = {}): Promise<ScriptRun> {
  return runScript('infra/ops/cli.ts', args, setting);
}

/** Parses a printed table into rows of cells, without padding and without empty cells. */
export function parsePrintedRows(text: string): string[][] {
  return text.split('\n').map((line) => line.split(/ {2,}/));
}

const CURRENT_TIME = /(?<=(stopped_at|tokens_from): .*|was run at )\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Replaces the current times in the output of a run with TIME. */
export function maskTimes(run: ScriptRun): ScriptRun {
  return { ...run, stdout: run.stdout.replaceAll(CURRENT_TIME, 'TIME') };
}
