import { type FileHandle, open } from 'node:fs/promises';
import type { SourceRecord } from './read-records.ts';

/** The file of rejected records: NDJSON of `{line, reasons, record}`. It is made with its first record. */
export class RejectsFile {
  readonly path: string;
  #handle: FileHandle | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Adds a record as it was written, with the reasons why it is rejected. */
  async add({ line, source }: SourceRecord, reasons: readonly string[]): Promise<void> {
    this.#handle ??= await open(this.path, 'w');
    await this.#handle.write(`{"line":${line},"reasons":${JSON.stringify(reasons)},"record":${source}}\n`);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}
