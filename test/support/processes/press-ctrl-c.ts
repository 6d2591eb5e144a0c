import type { ChildProcess } from 'node:child_process';

/** What one Ctrl-C under npm can come to: the terminal sends a signal, and npm passes another on. */
export function pressCtrlC(child: ChildProcess): void {
  child.kill('SIGINT');
  // Not a timer: on a busy machine that could ring when the process has ended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.5);
  child.kill('SIGINT');
}

/** The codes with which a process can end after that; null: the second signal met it when all was said and done. */
export const listCtrlCExitCodes = (code: number): readonly unknown[] => [code, null];
