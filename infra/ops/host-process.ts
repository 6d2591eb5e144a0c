import type { OutputStream } from '../terminal.ts';

/** The parts of its process that the command line uses. */
export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** The exit codes of the process; `interrupted` is also that of a command that was not confirmed. */
export const EXIT = { done: 0, rejected: 1, wrongUse: 2, failed: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
