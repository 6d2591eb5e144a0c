import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Invocation, type Report, type Run, runAll, type RuntimeOptions } from './runtime-interface.ts';

/** An invocation with an empty event. */
export const once: readonly Invocation[] = [{ body: '{}' }];

/** Runs code as the bundle of a function with all events; `file` is where it stands, `handler` how it is called. */
export async function runCode(
  code: string,
  { file = 'index.js', handler = 'index.handler' }: { readonly file?: string; readonly handler?: string } = {},
  invocations = once,
  options?: RuntimeOptions,
): Promise<Run> {
  const codeDirectory = await mkdtemp(join(tmpdir(), 'bundle-'));
  await writeFile(join(codeDirectory, file), code);
  try {
    return await runAll({ codeDirectory, handler, environment: {} }, invocations, options);
  } finally {
    await rm(codeDirectory, { recursive: true });
  }
}

/** Runs the body of a handler, which may use `event` and `context`, with all events. */
export async function runHandler(body: string, invocations = once, options?: RuntimeOptions): Promise<Run> {
  return runCode(`exports.handler = async (event, context) => { ${body} };`, {}, invocations, options);
}

/** What a function has reported. */
export function bodiesOf({ reports }: Run): Report['body'][] {
  return reports.map(({ body }) => body);
}
