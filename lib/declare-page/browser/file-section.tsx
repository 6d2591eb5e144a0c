import { useEffect, useRef, useState } from 'preact/hooks';
import type { PortalClient } from '../../client/index.ts';
import { DATE_ORDERS } from '../../client/spreadsheets/read-cell.ts';
import type { Text } from '../../domain/language.ts';
import { hasDeclared, type LineResult } from '../declare-lines.ts';
import { fieldTexts, pageTexts as texts } from '../page-texts.ts';
import {
  type Field,
  FIELD_NAMES,
  type InvoiceFile,
  type ReadOptions,
  REQUIRED_FIELDS,
  selectRows,
} from '../read-invoices.ts';
import { listLeftOutRows } from '../workbooks.ts';
import { DeclarationSection } from './declaration-section.tsx';
import { InvoiceTable, toPlace } from './invoice-table.tsx';
import { language, showCount, translate } from './language.ts';
import { OpenInvoicesSection } from './open-invoices-section.tsx';
import { type Reading, readInWorker } from './read-in-worker.ts';

type ChosenFile = Readonly<{ name: string; bytes: Uint8Array<ArrayBuffer> }>;

const DETECTED: ReadOptions = { fieldByHeading: {} };
const NO_LINES: ReadonlySet<number> = new Set();

/** The section in which a clerk chooses a file, and corrects how the file is read. */
export function FileSection({ client }: { client: PortalClient }) {
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [options, setOptions] = useState(DETECTED);
  const [leftOutLines, setLeftOutLines] = useState(NO_LINES);
  const [reading, setReading] = useState<Reading | null>(null);
  const [results, setResults] = useState<readonly LineResult[]>([]);
  const [isRunning, setRunning] = useState(false);
  const section = useRef<HTMLElement>(null);

  const chooseFile = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    setOptions(DETECTED);
    setLeftOutLines(NO_LINES);
    setFile({ name: chosen.name, bytes });
  };
  useFileDrop((dropped) => void chooseFile(dropped), isRunning);
  useEffect(() => {
    setReading(null);
    setResults([]);
    let isLatest = true;
    const read = async ({ bytes }: ChosenFile) => {
      const newReading = await readInWorker(bytes, options);
      if (isLatest) setReading(newReading);
    };
    if (file !== null) void read(file);
    return () => {
      isLatest = false;
    };
  }, [file, options]);
  // A row that was declared stays in the report.
  const isFixed = isRunning || hasDeclared(results);
  const { invoices, error } = reading ?? {};
  const selection = invoices && selectRows(invoices, leftOutLines);
  const columns = invoices?.detected ?? reading?.columns;
  const chooseField = (heading: string, field: Field | null) => {
    const others = Object.entries(options.fieldByHeading).filter(([, other]) => field === null || other !== field);
    setOptions({ ...options, fieldByHeading: { ...Object.fromEntries(others), [heading]: field } });
  };
  return (
    <>
      <OpenInvoicesSection client={client} isFixed={isRunning} />
      <section ref={section} tabIndex={-1} inert={isRunning} aria-label={translate(texts.file)}>
        <h2>{translate(texts.file)}</h2>
        <FileChoice onChoose={(chosen) => void chooseFile(chosen)} />
        {file && (
          <DateOrderChoice
            dates={options.dates}
            isFixed={isFixed}
            onChange={(dates) => setOptions({ ...options, dates })}
          />
        )}
        <p role="status">
          {file && <strong>{file.name} </strong>}
          {file && !reading && translate(texts.reading)}
          {invoices?.rows.length === 0 && translate(texts.noRows)}
        </p>
        {error && <p role="alert">{columns ? describeFailedReading(error, columns) : translate(error)}</p>}
        {invoices && selection && selection.errorsByLine.size > 0 && (
          <ErrorList
            invoices={invoices}
            selection={selection}
            onLeaveOut={(lines) => {
              setLeftOutLines(new Set([...leftOutLines, ...lines]));
              // The button that was pressed disappears.
              section.current?.focus();
            }}
          />
        )}
        {leftOutLines.size > 0 && (
          <p>
            {translate(texts.leftOut(showCount(leftOutLines.size)))}{' '}
            <button disabled={isFixed} onClick={() => setLeftOutLines(NO_LINES)}>
              {translate(texts.includeAll)}
            </button>
          </p>
        )}
      </section>
      {file && invoices && selection && selection.errorsByLine.size === 0 && selection.lines.length > 0 && (
        <DeclarationSection
          client={client}
          fileName={file.name}
          lines={selection.lines}
          results={results}
          listLeftOut={() => listLeftOutRows(invoices, leftOutLines, language)}
          onResults={setResults}
          onRunning={setRunning}
        />
      )}
      {columns && (
        <InvoiceTable
          columns={columns}
          rows={invoices?.rows ?? []}
          errorsByLine={selection?.errorsByLine ?? new Map()}
          results={results}
          leftOutLines={leftOutLines}
          isFixed={isFixed}
          onField={chooseField}
          onLeaveOut={(line, isLeftOut) => {
            const otherLines = [...leftOutLines].filter((other) => other !== line);
            setLeftOutLines(new Set(isLeftOut ? [...otherLines, line] : otherLines));
          }}
        />
      )}
    </>
  );
}

/** Receives a file that is dropped anywhere on the page. */
function useFileDrop(onDrop: (file: File | undefined) => void, isDisabled: boolean): void {
  useEffect(() => {
    const allowDrop = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      if (!isDisabled) onDrop(event.dataTransfer?.files[0]);
    };
    addEventListener('dragover', allowDrop);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', allowDrop);
      removeEventListener('drop', drop);
    };
  }, [isDisabled]);
}

function FileChoice({ onChoose }: { onChoose: (file: File | undefined) => void }) {
  return (
    <label class="drop">
      {translate(texts.drop)}
      <input
        type="file"
        accept=".xlsx,.csv,.txt"
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files?.[0]);
          // The same file can be chosen again after it was corrected.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

interface DateOrderProps extends Pick<ReadOptions, 'dates'> {
  readonly isFixed: boolean;
  readonly onChange: (dates: ReadOptions['dates']) => void;
}

function DateOrderChoice({ dates, isFixed, onChange }: DateOrderProps) {
  return (
    <label>
      {translate(texts.dates)}
      <select
        value={dates ?? ''}
        disabled={isFixed}
        onChange={({ currentTarget: { value } }) => onChange(DATE_ORDERS.find((order) => order === value))}
      >
        <option value="">{translate(texts.automatic)}</option>
        {DATE_ORDERS.map((order) => (
          <option key={order} value={order}>
            {translate(texts.dateOrders[order])}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Describes why a file cannot be read. Unclear columns are described by what the clerk can choose above them. */
function describeFailedReading(error: Text, { headings, fields }: NonNullable<Reading['columns']>): string {
  const join = (names: readonly string[]) => names.join(', ');
  const missing = REQUIRED_FIELDS.filter((field) => !fields.includes(field)).map((field) => fieldTexts[field]);
  if (missing.length > 0) return translate(texts.chooseColumns(join(missing.map(translate))));
  const repeatedFields = FIELD_NAMES.filter((field) => fields.indexOf(field) !== fields.lastIndexOf(field));
  if (repeatedFields.length === 0) return translate(error);
  const repeated = headings.filter((_, index) => repeatedFields.some((field) => field === fields[index]));
  return translate(texts.chooseOneColumn(join(repeated)));
}

const MAX_LISTED_ERRORS = 10;

interface ErrorListProps {
  readonly invoices: InvoiceFile;
  readonly selection: ReturnType<typeof selectRows>;
  readonly onLeaveOut: (lines: Iterable<number>) => void;
}

function ErrorList({ invoices, selection: { errorsByLine }, onLeaveOut }: ErrorListProps) {
  const count = showCount(errorsByLine.size);
  const firstErrors = [...errorsByLine]
    .slice(0, MAX_LISTED_ERRORS)
    .flatMap(([line, errors]) => errors.map((error) => ({ line, ...error })));
  return (
    <div role="alert" class="errors">
      <p>{translate(texts.errors(count))}</p>
      <ul>
        {firstErrors.map(({ line, column, error }) => (
          <li key={`${line} ${column}`}>
            <a href={`#${toPlace(line, column)}`}>{toPlace(line, column)}</a>{' '}
            {column !== undefined && invoices.detected.headings[column]}: {translate(error)}
          </li>
        ))}
      </ul>
      {errorsByLine.size > MAX_LISTED_ERRORS && <p>{translate(texts.moreErrors)}</p>}
      <button onClick={() => onLeaveOut(errorsByLine.keys())}>{translate(texts.leaveOutErrors(count))}</button>
    </div>
  );
}
