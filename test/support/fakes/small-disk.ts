import fs from 'node:fs';
import { vi } from 'vitest';

type WriteCallback<Data> = (error: Error | null, written?: number, data?: Data) => void;
interface FileWriter {
  write: (
    fd: number,
    data: Uint8Array,
    at: number,
    length: number,
    position: unknown,
    done: WriteCallback<Uint8Array>,
  ) => void;
  writev: (fd: number, parts: Uint8Array[], position: unknown, done: WriteCallback<Uint8Array[]>) => void;
}

/**
 * Simulates a disk with this number of free bytes that writes at most 3 bytes per call. `vi.restoreAllMocks` restores
 * the real file system.
 */
export function useSmallDisk(freeBytes: number): void {
  const fileWriter = fs as unknown as FileWriter;
  const { write } = fileWriter;
  let free = freeBytes;
  const writeShort: FileWriter['write'] = (fd, data, at, length, position, done) => {
    const part = Math.min(length, 3, free);
    free -= part;
    if (part > 0 || length === 0) write(fd, data, at, part, position, done);
    else done(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
  };
  vi.spyOn(fileWriter, 'write').mockImplementation(writeShort);
  vi.spyOn(fileWriter, 'writev').mockImplementation((fd, parts, position, done) => {
    const data = Buffer.concat(parts);
    writeShort(fd, data, 0, data.length, position, (error, written) => done(error, written, parts));
  });
}
