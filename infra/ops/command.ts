/** A command of the operators' command line; it takes its own arguments and returns the exit code: 0 done, 1 something was rejected. */
export interface Command {
  /** The arguments, as the usage shows them. */
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: string[]) => Promise<0 | 1>;
}
