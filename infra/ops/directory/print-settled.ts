import type { Settled } from '../../../lib/admin/directory/settled.ts';
import { EXIT, type ExitCode } from '../command.ts';
import type { Output } from '../output.ts';
import { documentOf, linesOf } from './settled-texts.ts';

/** Says what a change of the directory changed; `already`: what to say when nothing was to be done. */
export function printSettled(output: Output, settled: Settled, already?: string): ExitCode {
  for (const line of linesOf(settled)) output.line(line);
  if (settled.outcome === 'left' && already !== undefined) output.line(already);
  output.document(documentOf(settled));
  return EXIT.done;
}
