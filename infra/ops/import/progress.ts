import { Presets, SingleBar } from 'cli-progress';
import type { ImportCounts } from './import-invoices.ts';
import type { OutputStream } from '../../process/terminal.ts';

const PLAIN_LINE_MS = 5000;

/** Shows how far an import is, until it is stopped: a bar on a terminal, a plain line every few seconds elsewhere. */
export function showProgress(stream: OutputStream, totalBytes: number) {
  const share = stream.isTTY ? '{bar} {percentage}%' : '{percentage}%';
  const format = `${share} | {records} records | {rejected} rejected | {eta_formatted} left`;
  const bar = new SingleBar(
    { stream, format, noTTYOutput: true, notTTYSchedule: PLAIN_LINE_MS, gracefulExit: false },
    Presets.shades_classic,
  );
  bar.start(totalBytes, 0, { records: 0, rejected: 0 });
  return {
    update(bytes: number, { created, changed, unchanged, rejected }: ImportCounts) {
      bar.update(bytes, { records: created + changed + unchanged + rejected, rejected });
    },
    stop: () => bar.stop(),
  };
}
