import { once } from 'node:events';
import { setImmediate as waitForEvents } from 'node:timers/promises';
import type { OutputStream } from '../../process/terminal.ts';
import { describeSystemError, OutputError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

/** The stream of a result. It keeps the first error, because Node sets process.stdout.errored back to null after each. */
export class ResultStream {
  readonly stream: OutputStream;
  #error: Error | null = null;

  constructor(stream: OutputStream) {
    this.stream = stream;
    stream.on('error', (error: Error) => (this.#error ??= error));
  }

  /** Waits until the stream accepts more. Returns false if a write has failed, for example to a closed pipe. */
  async canContinue(): Promise<boolean> {
    // A closed pipe emits its error only after `write` has returned.
    await waitForEvents();
    if (this.stream.writableNeedDrain && !this.#error) {
      // `once` rejects if the stream emits `error` instead. The listener in the constructor has then kept the error.
      await once(this.stream, 'drain').catch(() => undefined);
    }
    return this.#error === null;
  }

  /** Waits until everything is written. Throws an OutputError if a part was lost. */
  async complete(): Promise<void> {
    // The callback of an empty write is called after all earlier writes have ended.
    const lastError = await new Promise<Error | null | undefined>((done) => this.stream.write('', done));
    // The event `error` of an earlier write can follow this callback.
    await waitForEvents();
    const error = this.#error ?? lastError;
    if (!error) return;
    throw new OutputError(translate(opsTexts.incompleteOutput(describeSystemError(error))), { cause: error });
  }
}
