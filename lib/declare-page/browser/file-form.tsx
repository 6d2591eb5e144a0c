import { useRef } from 'preact/hooks';
import { pageTexts } from '../page-texts.ts';
import { describeFailedReading, RowErrors } from './file-errors.tsx';
import { showCount, translate } from './language.ts';
import type { ChosenFile } from './use-chosen-file.ts';

interface FileFormProps {
  readonly file: ChosenFile;
  /** True while the rows are checked or declared. */
  readonly isRunning: boolean;
  /** True if the rows cannot be changed. Another file can be chosen as soon as nothing is running. */
  readonly isLocked: boolean;
}

/** The section in which a clerk chooses a file, corrects how it is read, and leaves out the rows with errors. */
export function FileForm({ file, isRunning, isLocked }: FileFormProps) {
  const { name, reading, invoices, selection, leftOutLines } = file;
  const section = useRef<HTMLElement>(null);
  const leaveOut = (lines: Iterable<number>) => {
    file.leaveOut(lines);
    // Otherwise, the focus would be lost, because the pressed button disappears.
    section.current?.focus();
  };
  return (
    <section ref={section} tabIndex={-1} inert={isRunning} aria-label={translate(pageTexts.file)}>
      <h2>{translate(pageTexts.file)}</h2>
      <FileChoice onChoose={(chosen) => void file.chooseFile(chosen)} />
      {name !== undefined && (
        <label class="check">
          <input
            type="checkbox"
            checked={file.isDayFirst}
            disabled={isLocked}
            onChange={({ currentTarget }) => file.chooseDayFirst(currentTarget.checked)}
          />
          {translate(pageTexts.dayFirst)}
        </label>
      )}
      <p role="status">
        {name !== undefined && <strong>{name} </strong>}
        {name !== undefined && reading === null && translate(pageTexts.reading)}
        {invoices?.rows.length === 0 && translate(pageTexts.noRows)}
      </p>
      {reading?.error && <p role="alert">{describeFailedReading(reading.error, reading.columns)}</p>}
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
          // Otherwise, the browser would not report that the same file is chosen again after a correction.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
