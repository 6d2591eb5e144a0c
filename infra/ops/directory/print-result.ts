import type { EntryResult } from '../../../lib/admin/directory/entry-result.ts';
import { EXIT, type ExitCode } from '../command.ts';
import type { Output } from '../output.ts';
import { documentOf, linesOf } from './result-texts.ts';

/** Says what a change of the directory changed; `already`: what to say when nothing was to be done. */
export function printResult(output: Output, result: EntryResult, already?: string): ExitCode {
  for (const line of linesOf(result)) output.line(line);
  if (result.outcome === 'left' && already !== undefined) output.line(already);
  output.document(documentOf(result));
  return EXIT.done;
}
