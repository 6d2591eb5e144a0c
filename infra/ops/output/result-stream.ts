import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { OutputStream } from '../../process/terminal.ts';
import { describeSystemError, OutputError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

/** The stream of the result of a command. It keeps the first error, because process.stdout forgets its errors. */
export class ResultStream {
  readonly stream: OutputStream;
  #error: Error | null = null;

  constructor(stream: OutputStream) {
    this.stream = stream;
    stream.on('error', (error: Error) => (this.#error ??= error));
  }

  /** Waits until the stream accepts more. Returns false if a write has failed, for example to a closed pipe. */
  async canContinue(): Promise<boolean> {
    // A closed pipe reports its error only after the write.
    await setImmediate();
    if (this.stream.writableNeedDrain && !this.#error) await once(this.stream, 'drain').catch(() => undefined);
    return this.#error === null;
  }

  /** Waits until everything is written. Throws an OutputError if a part was lost. */
  async complete(): Promise<void> {
    const writeError = await new Promise<Error | null | undefined>((done) => this.stream.write('', done));
    await setImmediate();
    const error = this.#error ?? writeError;
    if (!error) return;
    throw new OutputError(translate(opsTexts.incompleteOutput(describeSystemError(error))), { cause: error });
  }
}
