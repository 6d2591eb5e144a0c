import { defineCommand, dryRunOption, EXIT, formatCount, runCommand, stopSignal } from '../command.ts';
import { applyDirectory } from './apply-directory.ts';
import { toLines } from './change-directory.ts';
import { readDocument } from './read-document.ts';

/** `apply`: creates and changes tenants, companies, suppliers, users and API keys from a file. */
export const applyCommand = defineCommand('apply', {
  summary: 'Create and change tenants, companies, suppliers, users and API keys from a file (JSON or YAML).',
  example: 'apply infra/local/demo/directory.yaml --dry-run --local',
})
  .argument('<file>', 'the file')
  .addOption(dryRunOption)
  .action((file, options) =>
    runCommand(options, async ({ ports, output, host, dryRun }) => {
      const document = await readDocument(file);
      const counts = { created: 0, changed: 0, left: 0, rejected: 0 };
      const entries: object[] = [];
      const errors: string[] = [];
      const stop = stopSignal(host);
      const toDocument = () => ({ ...counts, dry_run: dryRun, entries, faults: errors });
      try {
        for await (const { path: _, ...result } of applyDirectory(ports, document, stop)) {
          if ('errors' in result) {
            counts.rejected += 1;
            errors.push(...result.errors);
            for (const error of result.errors) output.error(`rejected  ${error}`);
          } else {
            const shown = dryRun ? { ...result, generated_key: undefined } : result;
            counts[result.outcome] += 1;
            entries.push(shown);
            for (const line of toLines(shown)) output.line(line);
          }
        }
      } catch (error) {
        // A generated key must be printed, whatever fails after it.
        if (entries.length > 0) output.document({ ...toDocument(), error: (error as Error).message });
        throw error;
      }
      const { created, changed, left, rejected } = counts;
      if (entries.length === 0 && rejected > 0)
        output.line(`${formatCount(errors.length, 'error')}: nothing was written`);
      else output.line(`${created} created, ${changed} changed, ${left} left, ${rejected} rejected`);
      output.document({ ...toDocument(), interrupted: stop.aborted });
      if (stop.aborted) {
        output.line('Interrupted. Run the command again to continue.');
        return EXIT.interrupted;
      }
      return errors.length > 0 ? EXIT.rejected : EXIT.done;
    }),
  );
