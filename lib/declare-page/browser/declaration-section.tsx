import { useRef, useState } from 'preact/hooks';
import type { PortalClient } from '../../client/index.ts';
import { checkLines, declareLines, type LineResult, selectDeclarable, selectUnchecked } from '../declare-lines.ts';
import { pageTexts as texts } from '../page-texts.ts';
import type { InvoiceLine } from '../read-invoices.ts';
import { sumAmounts } from '../results.ts';
import { buildReport, type listLeftOutRows } from '../workbooks.ts';
import { downloadWorkbook } from './download.ts';
import { language, showAmount, showCount, translate } from './language.ts';
import { Totals } from './totals.tsx';
import { type Step, useRun, type Work } from './use-run.ts';

interface DeclarationProps {
  readonly client: PortalClient;
  readonly fileName: string;
  readonly lines: readonly InvoiceLine[];
  /** The results so far. */
  readonly results: readonly LineResult[];
  readonly listLeftOut: () => ReturnType<typeof listLeftOutRows>;
  readonly onResults: (results: readonly LineResult[]) => void;
  readonly onRunning: (isRunning: boolean) => void;
}

/** The section in which a clerk checks the lines, declares them, and continues after an interruption. */
export function DeclarationSection(props: DeclarationProps) {
  const { client, fileName, lines, listLeftOut, onResults, onRunning } = props;
  const resultByLine = new Map(props.results.map((result) => [result.line, result]));
  const results = lines.map((line): LineResult => resultByLine.get(line.line) ?? { outcome: 'not_checked', ...line });
  const [holdReview, setHoldReview] = useState(false);
  const { step, message, run } = useRun(client);
  const isRunning = step !== null;
  const status = useRef<HTMLParagraphElement>(null);
  const confirmation = useRef<HTMLDialogElement>(null);
  const unchecked = selectUnchecked(results);
  const declarable = selectDeclarable(results, holdReview);
  const isChecked = unchecked.length === 0;
  const hasResults = unchecked.length < results.length;
  const isInterrupted = results.some(({ outcome }) => outcome === 'unknown' || outcome === 'not_declared');

  const runStep = async (work: Work) => {
    onRunning(true);
    // The button that was pressed disappears.
    status.current?.focus();
    await run(work, () => onResults([...results]));
    onRunning(false);
  };
  const check = () => runStep({ name: texts.checking, lines: unchecked, work: checkLines, end: texts.checked });
  const declare = () => runStep({ name: texts.declaring, lines: declarable, work: declareLines, end: texts.finished });
  const downloadReport = async () => {
    const name = `${fileName.replace(/\.\w+$/, '')}-${translate(texts.report).toLowerCase()}`;
    downloadWorkbook(name, await buildReport([...results, ...listLeftOut()], language));
  };
  return (
    <section>
      <h2>{translate(texts.declare)}</h2>
      {!isRunning && !isChecked && (
        <button class="main" onClick={() => void check()}>
          {translate(hasResults ? texts.resume : texts.check(showCount(unchecked.length)))}
        </button>
      )}
      {step && <button onClick={step.stop}>{translate(texts.stop)}</button>}
      {step && <progress max={step.total} value={step.done} aria-label={translate(step.name)} />}
      <p role="status" ref={status} tabIndex={-1}>
        {step ? describeStep(step) : message && translate(message)}
      </p>
      {hasResults && <Totals results={results} />}
      {!isRunning && isChecked && (
        <label class="check">
          <input
            type="checkbox"
            checked={holdReview}
            onChange={(event) => setHoldReview(event.currentTarget.checked)}
          />
          {translate(texts.holdReview)}
        </label>
      )}
      {!isRunning && isChecked && declarable.length > 0 && (
        <button class="main" onClick={() => confirmation.current?.showModal()}>
          {translate(isInterrupted ? texts.resume : texts.declareCount(showCount(declarable.length)))}
        </button>
      )}
      {!isRunning && hasResults && (
        <button onClick={() => void downloadReport()}>{translate(texts.downloadReport)}</button>
      )}
      <dialog
        ref={confirmation}
        aria-label={translate(texts.declare)}
        onClose={({ currentTarget }) => {
          if (currentTarget.returnValue === 'declare') void declare();
          // Otherwise, the key Escape would keep this answer the next time.
          currentTarget.returnValue = '';
        }}
      >
        <form method="dialog">
          <p>{translate(texts.summary(showCount(declarable.length), showAmount(sumAmounts(declarable))))}</p>
          <button class="main" value="declare">
            {translate(texts.declareNow)}
          </button>
          <button value="cancel">{translate(texts.cancel)}</button>
        </form>
      </dialog>
    </section>
  );
}

function describeStep({ name, done, total, waitSeconds }: Step): string {
  const progress = `${translate(name)}: ${translate(texts.progress(showCount(done), showCount(total)))}`;
  if (waitSeconds === 0) return progress;
  return `${progress} (${translate(texts.waiting(String(Math.ceil(waitSeconds))))})`;
}
