import { useRef } from 'preact/hooks';
import { pageTexts } from '../page-texts.ts';
import { describeReadFailure, RowErrors } from './file-errors.tsx';
import { showCount, translate } from './language.ts';
import type { ChosenFile } from './use-chosen-file.ts';

interface FileFormProps {
  readonly chosenFile: ChosenFile;
  /** True while the rows are checked or declared. Another file cannot be chosen meanwhile. */
  readonly isRunning: boolean;
  /** True if the rows cannot be changed: while they are checked or declared, and after they were declared. */
  readonly isLocked: boolean;
}

/** The section in which a clerk chooses a file, corrects how it is read, and leaves out the rows with errors. */
export function FileForm({ chosenFile, isRunning, isLocked }: FileFormProps) {
  const { name, isReading, failure, invoices, selection, leftOutLines } = chosenFile;
  const section = useRef<HTMLElement>(null);
  const leaveOut = (lines: Iterable<number>) => {
    chosenFile.leaveOut(lines);
    // The pressed button disappears. The section receives its focus, which would be lost.
    section.current?.focus();
  };
  return (
    <section ref={section} tabIndex={-1} inert={isRunning} aria-label={translate(pageTexts.file)}>
      <h2>{translate(pageTexts.file)}</h2>
      <FileChoice onChoose={(file) => void chosenFile.chooseFile(file)} />
      {name !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={chosenFile.isDayFirst}
            disabled={isLocked}
            onChange={({ currentTarget }) => chosenFile.chooseDayFirst(currentTarget.checked)}
          />
          {translate(pageTexts.dayFirst)}
        </label>
      )}
      <p role="status">
        {name !== null && <strong>{name} </strong>}
        {isReading && translate(pageTexts.reading)}
        {invoices?.rows.length === 0 && translate(pageTexts.noRows)}
      </p>
      {failure && <p role="alert">{describeReadFailure(failure)}</p>}
      {invoices && selection && selection.errorsByLine.size > 0 && (
        <RowErrors headings={invoices.detected.headings} errorsByLine={selection.errorsByLine} onLeaveOut={leaveOut} />
      )}
      {leftOutLines.size > 0 && <p>{translate(pageTexts.leftOut(showCount(leftOutLines.size)))}</p>}
    </section>
  );
}

/** The field for a file. The browser also accepts a file that is dropped on it. */
function FileChoice({ onChoose }: { onChoose: (file: File) => void }) {
  return (
    <label class="drop">
      {translate(pageTexts.drop)}
      <input
        type="file"
        accept=".xlsx,.csv,.txt"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onChoose(file);
          // The browser reports only a change of the value. Without a value, a corrected file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
