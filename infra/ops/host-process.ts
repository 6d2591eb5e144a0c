import type { OutputStream } from '../terminal.ts';

/** What the command line needs of the process that it runs in. */
export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}
