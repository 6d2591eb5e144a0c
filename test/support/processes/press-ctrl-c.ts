import type { ChildProcess } from 'node:child_process';

/** Sends two signals, as one Ctrl-C under npm can: one from the terminal, and one that npm forwards. */
export function pressCtrlC(child: ChildProcess): void {
  child.kill('SIGINT');
  // A timer is not used, because on a busy machine the process could end before the timer fires.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.5);
  child.kill('SIGINT');
}

/** Lists the possible exit codes after `pressCtrlC`. null: the second signal arrived after all work was finished. */
export const listCtrlCExitCodes = (code: number): readonly unknown[] => [code, null];
