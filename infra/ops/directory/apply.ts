import { defineCommand, dryRunOption, runCommand, type Session, trapSignals } from '../command.ts';
import { readDocument } from '../input/read-yaml.ts';
import { EXIT, type ExitCode } from '../operator-errors.ts';
import { formatCount, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { applyDirectory } from './apply-directory.ts';
import { EntryErrors } from './plan-entry.ts';
import { printChange } from './print-result.ts';

export const applyCommand = defineCommand('apply', {
  summary: 'Create and change tenants, companies, suppliers, users and API keys from a file (JSON or YAML).',
  example: 'apply infra/local/demo/directory.yaml --dry-run --local',
})
  .argument('<file>', 'JSON or YAML file with tenants, their companies, suppliers, users and API keys')
  .addOption(dryRunOption)
  .action((file, options) => runCommand(options, (session) => applyFile(session, file)));

async function applyFile(session: Session, file: string): Promise<ExitCode> {
  const { ports, output, host } = session;
  const document = await readDocument(file);
  const counts = { created: 0, changed: 0, left: 0, rejected: 0 };
  const entries: object[] = [];
  const errors: string[] = [];
  const buildDocument = (end: object) => ({ ...counts, entries, faults: errors, ...end });
  const stop = trapSignals(host);
  try {
    for await (const applied of applyDirectory(ports, document, stop)) {
      if (applied instanceof EntryErrors) {
        counts.rejected += 1;
        errors.push(...applied.errors);
        for (const error of applied.errors) output.error(`rejected  ${error}`);
      } else {
        counts[applied.outcome] += 1;
        entries.push(printChange(session, applied));
      }
    }
  } catch (error) {
    // A generated key must be printed, whatever fails after it.
    if (entries.length > 0) output.document(buildDocument({ error: (error as Error).message }));
    throw error;
  }

  const totals = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  const isInvalid = entries.length === 0 && errors.length > 0;
  output.line(isInvalid ? `${formatCount(errors.length, 'error', 'errors')}: nothing was written` : totals.join(', '));
  output.document(buildDocument({ interrupted: stop.aborted }));
  if (stop.aborted) {
    output.line(translate(opsTexts.interrupted));
    return EXIT.interrupted;
  }
  return errors.length > 0 ? EXIT.rejected : EXIT.done;
}
