import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bundle } from './cold.ts';

/** What a process used for a turn, in milliseconds, and the text of the last answer. */
export interface Turn {
  readonly cpuMs: number;
  readonly wallMs: readonly number[];
  readonly body: string;
}

/** A process that has loaded a bundle, and keeps it. */
export interface WarmProcess {
  /** Responds to events one after the other; rejects if a status is not 200. */
  answer(events: readonly object[]): Promise<Turn>;
  close(): Promise<void>;
}

const script = fileURLToPath(new URL('warm.cjs', import.meta.url));

/** Starts a process that loads a bundle. */
export async function startWarm({ file, environment }: Bundle): Promise<WarmProcess> {
  const child = fork(script, [file], { env: environment, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await reply(child, file);
  return {
    async answer(events) {
      const replied = reply(child, file);
      child.send([...events]);
      const { status, ...turn } = (await replied) as Turn & { status: number };
      if (status !== 200) throw new Error(`${file} answers ${status}: ${turn.body}`);
      return turn;
    },
    async close() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function reply(child: ChildProcess, file: string): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`The process of ${file} has ended.`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message;
  } finally {
    // What is not waited for any more would reject unheard.
    ended.catch(() => {});
    over.abort();
  }
}
