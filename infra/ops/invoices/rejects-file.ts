import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { printableJson } from '../../printable.ts';

/** The file of rejected records: NDJSON of `{line, reasons, record}`; there is none when nothing was rejected. */
export class RejectsFile {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Starts the file anew or, to go on with an import, keeps what it holds; throws an OperatorError when it cannot be
   * written.
   */
  static async open(path: string, { append }: { append: boolean }): Promise<RejectsFile> {
    try {
      return new RejectsFile(path, await open(path, append ? 'a' : 'w'));
    } catch (error) {
      throw new OperatorError(`The file ${path} cannot be written: ${(error as Error).message}`);
    }
  }

  /** Adds a record as it was written, but for escapes, with the reasons why it is rejected. */
  async add({ line, source }: SourceRecord, reasons: readonly string[]): Promise<void> {
    const json = `{"line":${line},"reasons":${JSON.stringify(reasons)},"record":${source}}`;
    await this.#handle.write(`${printableJson(json)}\n`);
  }

  async close(): Promise<void> {
    await this.#handle.close();
    const stats = await lstat(this.path);
    if (stats.isFile() && stats.size === 0) await rm(this.path);
  }
}
