import type { Readable } from 'node:stream';

/** Hands on every line that a stream of text brings; without a reader it drops them. */
export function readLines(stream: Readable, read?: (line: string) => void): void {
  if (read === undefined) {
    stream.resume();
    return;
  }
  let begun = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    lines.forEach(read);
  });
}
