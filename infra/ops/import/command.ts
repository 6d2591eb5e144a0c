import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { type ImportCounts, importInvoices } from './import-invoices.ts';
import { openInput } from './open-input.ts';
import { showProgress } from './progress.ts';
import { FORMATS, readRecords } from './read-records.ts';
import { RejectsFile } from './rejects-file.ts';

/** `import-invoices`: creates and updates invoices of a tenant from a file or from standard input. */
export const importInvoicesCommand = defineCommand('import-invoices', {
  summary: 'Import the invoices of a tenant from a file; it can be run again, and doubles nothing.',
  example: 'import-invoices infra/local/demo/invoices.ndjson --tenant demo.example --local',
})
  .argument('<file>', 'NDJSON, or CSV with a header; - is standard input')
  .requiredOption('--tenant <tenant>', 'whose invoices these are')
  .addOption(new Option('--format <format>', 'what is in the file, unless its name tells').choices(FORMATS))
  .option('--rejects <file>', 'where rejected records go, unless to FILE.rejected.ndjson')
  .option('--from-line <line>', 'go on with an interrupted import at this line', lineNumber, 1)
  .action((file, { tenant, fromLine, ...options }) =>
    runCommand(options, async ({ client, tables, output }) => {
      const input = await openInput(file, options.format, options.rejects);
      const rejects = await RejectsFile.open(input.rejectsPath, { append: fromLine > 1 });
      const stop = new AbortController();
      // The first Ctrl-C ends the import where it can go on; the second one ends the process.
      process.once('SIGINT', () => stop.abort());
      const progress = options.json ? null : showProgress(process.stderr, input.totalBytes);
      let lastLine = fromLine - 1;
      let counts: Readonly<ImportCounts> = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
      try {
        await importInvoices(
          { client, tables },
          readRecords(input.stream, input.format, { fromLine, signal: stop.signal }),
          {
            tenant,
            now: systemClock.now(),
            reject: (record, faults) => rejects.add(record, faults),
            progress(line, soFar) {
              lastLine = line;
              counts = soFar;
              progress?.update(input.bytesRead(), soFar);
            },
            stop: stop.signal,
          },
        );
      } catch (error) {
        output.fault(
          `It failed after line ${lastLine}; run it again, with --from-line ${lastLine + 1} to go on there.`,
        );
        throw error;
      } finally {
        progress?.stop();
        await rejects.close();
        input.stream.destroy();
      }
      const { created, changed, unchanged, rejected } = counts;
      output.line(`${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected`);
      if (rejected > 0) output.line(`The rejected records and the reasons are in ${rejects.path}`);
      if (stop.signal.aborted)
        output.line(`Interrupted after line ${lastLine}: go on with --from-line ${lastLine + 1}`);
      output.document({
        ...counts,
        last_line: lastLine,
        interrupted: stop.signal.aborted,
        rejects_file: rejected > 0 ? rejects.path : null,
      });
      if (stop.signal.aborted) return EXIT.interrupted;
      return rejected > 0 ? EXIT.rejected : EXIT.done;
    }),
  );

function lineNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a line number, from 1.');
  return Number(text);
}
