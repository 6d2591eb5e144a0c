import type { OutputStream } from '../terminal.ts';

/** The parts of its process that the command line uses. */
export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}
