import { useRef } from 'preact/hooks';
import type { PortalClient } from '../../client/index.ts';
import { checkLines } from '../check-lines.ts';
import { declareLines } from '../declare-lines.ts';
import { type LineResult, selectUnchecked } from '../line-result.ts';
import { pageTexts } from '../page-texts.ts';
import type { InvoiceLine } from '../select-rows.ts';
import { buildReport, type ReportRow } from '../workbooks.ts';
import { DeclareForm } from './declare-form.tsx';
import { downloadWorkbook } from './download.ts';
import { language, showCount, translate } from './language.ts';
import { Totals } from './totals.tsx';
import { type RunningTask, type Task, useRun } from './use-run.ts';

interface DeclarationProps {
  readonly client: PortalClient;
  readonly fileName: string;
  readonly lines: readonly InvoiceLine[];
  /** The results after the latest task; empty after the file was read again. */
  readonly latestResults: readonly LineResult[];
  readonly leftOutRows: readonly ReportRow[];
  readonly onResults: (results: readonly LineResult[]) => void;
  readonly onRunning: (isRunning: boolean) => void;
}

/** The section in which a clerk checks the lines, declares them, and continues after an interruption. */
export function DeclarationSection(props: DeclarationProps) {
  const { results, uncheckedLines, runningTask, message, statusRef, check, declare } = useDeclaration(props);
  const hasResults = uncheckedLines.length < results.length;
  return (
    <section>
      <h2>{translate(pageTexts.declare)}</h2>
      {runningTask === null && uncheckedLines.length > 0 && (
        <button class="main" onClick={() => void check()}>
          {translate(hasResults ? pageTexts.resume : pageTexts.check(showCount(uncheckedLines.length)))}
        </button>
      )}
      {runningTask && <button onClick={runningTask.stop}>{translate(pageTexts.stop)}</button>}
      {runningTask && (
        <progress max={runningTask.totalCount} value={runningTask.doneCount} aria-label={translate(runningTask.name)} />
      )}
      <p role="status" ref={statusRef} tabIndex={-1}>
        {runningTask ? describeProgress(runningTask) : message && translate(message)}
      </p>
      {hasResults && <Totals results={results} />}
      <DeclareForm
        results={results}
        isHidden={runningTask !== null || uncheckedLines.length > 0}
        onDeclare={(lines) => void declare(lines)}
      />
      {runningTask === null && hasResults && (
        <button onClick={() => void downloadReport(props.fileName, [...results, ...props.leftOutRows])}>
          {translate(pageTexts.downloadReport)}
        </button>
      )}
    </section>
  );
}

/** Provides the tasks that check and declare the lines. Each task moves the focus to the element of `statusRef`. */
function useDeclaration({ client, lines, latestResults, onResults, onRunning }: DeclarationProps) {
  const resultByLine = new Map(latestResults.map((result) => [result.line, result]));
  // The result of each row without errors. A task changes these objects in place.
  const results = lines.map((row): LineResult => resultByLine.get(row.line) ?? { outcome: 'not_checked', ...row });
  const uncheckedLines = selectUnchecked(results);
  const { runningTask, message, run } = useRun(client);
  const statusRef = useRef<HTMLParagraphElement>(null);
  const runTask = async (task: Task) => {
    onRunning(true);
    // The pressed button disappears. The status receives its focus, which would be lost.
    statusRef.current?.focus();
    // The page shows the changed results only if the array is a new one.
    await run(task, () => onResults([...results]));
    onRunning(false);
  };
  const check = () =>
    runTask({ name: pageTexts.checking, lines: uncheckedLines, send: checkLines, endMessage: pageTexts.checked });
  const declare = (declarable: readonly LineResult[]) =>
    runTask({ name: pageTexts.declaring, lines: declarable, send: declareLines, endMessage: pageTexts.finished });
  return { results, uncheckedLines, runningTask, message, statusRef, check, declare };
}

function describeProgress({ name, doneCount, totalCount }: RunningTask): string {
  return `${translate(name)}: ${translate(pageTexts.progress(showCount(doneCount), showCount(totalCount)))}`;
}

async function downloadReport(fileName: string, rows: readonly ReportRow[]): Promise<void> {
  const name = `${fileName.replace(/\.\w+$/, '')}-${translate(pageTexts.report).toLowerCase()}`;
  downloadWorkbook(name, await buildReport(rows, language));
}
