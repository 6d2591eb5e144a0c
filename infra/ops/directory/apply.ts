import { applyDirectory } from './apply-directory.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, stopSignal } from '../command.ts';
import { counted } from '../counted.ts';
import { readDocument } from './read-document.ts';
import { toLines } from './result-texts.ts';

/** `apply`: creates and changes tenants, companies, suppliers, users and API keys from a file. */
export const applyCommand = defineCommand('apply', {
  summary: 'Create and change tenants, companies, suppliers, users and API keys from a file (JSON or YAML).',
  example: 'apply infra/local/demo/directory.yaml --dry-run --local',
})
  .argument('<file>', 'the file')
  .addOption(dryRunOption)
  .action((file, options) =>
    runCommand(options, async ({ ports, output, host, dryRun }) => {
      const directory = await readDocument(file);
      const counts = { created: 0, changed: 0, left: 0, rejected: 0 };
      const entries: object[] = [];
      const errors: string[] = [];
      const stop = stopSignal(host);
      const documentSoFar = () => ({ ...counts, dry_run: dryRun, entries, faults: errors });
      try {
        const valid = await applyDirectory(ports, directory, {
          dryRun,
          stop,
          report(result) {
            if ('errors' in result) {
              counts.rejected += 1;
              errors.push(...result.errors);
              for (const error of result.errors) output.error(`rejected  ${error}`);
            } else {
              counts[result.outcome] += 1;
              const { path: _, ...document } = result;
              entries.push(document);
              for (const line of toLines(result)) output.line(line);
            }
          },
        });
        const { created, changed, left, rejected } = counts;
        if (valid) output.line(`${created} created, ${changed} changed, ${left} left, ${rejected} rejected`);
        else output.line(`${counted(errors.length, 'error')}: nothing was written`);
      } catch (error) {
        // A generated key must be printed, whatever fails after it.
        if (entries.length > 0) output.document({ ...documentSoFar(), error: (error as Error).message });
        throw error;
      }
      output.document({ ...documentSoFar(), interrupted: stop.aborted });
      if (stop.aborted) {
        output.line('Interrupted. Run the command again to continue.');
        return EXIT.interrupted;
      }
      return errors.length > 0 ? EXIT.rejected : EXIT.done;
    }),
  );
