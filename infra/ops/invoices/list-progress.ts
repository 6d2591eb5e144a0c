import { Presets, SingleBar } from 'cli-progress';
import type { ReadingProgress } from '../../../lib/admin/review/reviewed-invoices.ts';
import type { OutputStream } from '../../terminal.ts';

/** Shows on a terminal how many suppliers are read, until it is stopped; nothing stays of it. */
export function showReading(stream: OutputStream) {
  const format = '{bar} {value} of {total} suppliers | {invoices} invoices';
  const bar = new SingleBar({ stream, format, clearOnComplete: true, gracefulExit: false }, Presets.shades_classic);
  return {
    update({ invoices, suppliers, ofSuppliers }: ReadingProgress): void {
      if (bar.isActive) bar.update(suppliers, { invoices });
      else bar.start(ofSuppliers, suppliers, { invoices });
    },
    stop: () => bar.stop(),
  };
}
