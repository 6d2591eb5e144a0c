import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

/** Makes the next append to a file fail after its first 5 bytes, as on a disk that becomes full. */
export async function failAppend(): Promise<void> {
  const handle = await open(fileURLToPath(import.meta.url));
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  vi.spyOn(prototype, 'appendFile').mockImplementationOnce(async function append(this: FileHandle, text) {
    await this.write(Buffer.from(text as string), 0, 5);
    throw new Error('ENOSPC: no space left on device, write');
  });
}
