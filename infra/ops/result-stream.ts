import { once } from 'node:events';
import { fsync, WriteStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { OutputStream } from '../terminal.ts';
import { describeSystemError, OutputError } from './errors.ts';

/** A stream that gets the result of a command. It keeps the first error, which process.stdout itself forgets. */
export class ResultStream {
  readonly #stream: OutputStream;
  #error: Error | null = null;

  constructor(stream: OutputStream) {
    this.#stream = stream;
    stream.on('error', (error: Error) => (this.#error ??= error));
  }

  /** Waits until the stream accepts more; false if a write has failed, for instance because the reader has ended. */
  async canContinue(): Promise<boolean> {
    // A closed pipe reports its error only after the write.
    await setImmediate();
    if (this.#stream.writableNeedDrain && !this.#error) await once(this.#stream, 'drain').catch(() => undefined);
    return this.#error === null;
  }

  /**
   * Waits until everything that was written has been passed on, and is on the disk if the stream is a file. Throws an
   * OutputError if a part of it was lost.
   */
  async flush(): Promise<void> {
    const failure = await new Promise<Error | null | undefined>((resolve) => this.#stream.write('', resolve));
    await setImmediate();
    const error = this.#error ?? failure ?? (await this.#sync().catch((reason: Error) => reason));
    if (error) throw new OutputError(`The output is incomplete: ${describeSystemError(error)}`, { cause: error });
  }

  async #sync(): Promise<void> {
    const { fd } = this.#stream;
    if (this.#stream instanceof WriteStream && fd !== undefined) await promisify(fsync)(fd);
  }
}
