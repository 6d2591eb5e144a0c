import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runOps } from '../../../infra/ops/run-ops.ts';
import type { ScriptRun } from '../processes/run-script.ts';

/** What a person types at a question. */
export const KEYS = { enter: '\r', ctrlC: '\u0003', ctrlD: '\u0004' } as const;

/** Runs the operators' command line on a terminal, where these keys answer its question. */
export async function runOnTerminal(
  endpoint: string,
  args: readonly string[],
  keys: string,
  { isErrorShown = true, isOutputShown = true } = {},
): Promise<ScriptRun> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = Object.assign(new PassThrough(), { isTTY: isOutputShown });
  const stderr = Object.assign(new PassThrough(), { isTTY: isErrorShown });
  // Typed once the question is there: what was typed before it is not an answer.
  stderr.on('data', (part) => void (String(part).includes('[y/N]') && stdin.write(keys)));
  const printed = Promise.all([text(stdout), text(stderr)]);
  const env = { AWS_ENDPOINT_URL_DYNAMODB: endpoint, NO_COLOR: '1' };
  const host = Object.assign(new EventEmitter(), { env, stdin, stdout, stderr });
  const code = await runOps([...args, '--local'], host as never);
  stdout.end();
  stderr.end();
  const [output, errors] = await printed;
  return { code, stdout: output, stderr: errors };
}
