import { useEffect, useRef, useState } from 'preact/hooks';
import type { Field, ReadOptions } from '../read-invoices.ts';
import { selectRows } from '../select-rows.ts';
import { readInWorker, type ReadResult } from './read-in-worker.ts';

/** The chosen file with the result of reading it, and the actions of the clerk. What does not exist yet is null. */
export type ChosenFile = ReturnType<typeof useChosenFile>;

const DETECTED: ReadOptions = { fieldByHeading: {}, isDayFirst: false };
const NO_LINES: ReadonlySet<number> = new Set();

/** Keeps the file that the clerk has chosen, how the file is read, and which of its rows are left out. */
export function useChosenFile() {
  const [source, setSource] = useState<{ name: string; bytes: Uint8Array<ArrayBuffer> } | null>(null);
  const [options, setOptions] = useState(DETECTED);
  const [leftOutLines, setLeftOutLines] = useState(NO_LINES);
  const result = useReadResult(source?.bytes ?? null, options);
  const isReading = source !== null && result === null;
  const failure = result && 'error' in result ? result : null;
  const invoices = result && 'rows' in result ? result : null;
  const selection = invoices && selectRows(invoices, leftOutLines);

  const latestFile = useRef<File | null>(null);
  const chooseFile = async (file: File) => {
    latestFile.current = file;
    const bytes = new Uint8Array(await file.arrayBuffer());
    // While the bytes were loaded, the clerk has chosen another file.
    if (latestFile.current !== file) return;
    setOptions(DETECTED);
    setLeftOutLines(NO_LINES);
    setSource({ name: file.name, bytes });
  };
  const chooseDayFirst = (isDayFirst: boolean) => setOptions({ ...options, isDayFirst });
  const chooseField = (heading: string, field: Field | null) =>
    setOptions({ ...options, fieldByHeading: assignField(options.fieldByHeading, heading, field) });
  const leaveOut = (lines: Iterable<number>) => setLeftOutLines(new Set([...leftOutLines, ...lines]));
  const include = (line: number) => setLeftOutLines(new Set([...leftOutLines].filter((other) => other !== line)));
  const actions = { chooseFile, chooseDayFirst, chooseField, leaveOut, include };
  const { isDayFirst } = options;
  return { name: source?.name ?? null, isDayFirst, isReading, failure, invoices, selection, leftOutLines, ...actions };
}

/** Reads a file again after each change of the options. Returns null until the file is read. */
function useReadResult(bytes: Uint8Array | null, options: ReadOptions): ReadResult | null {
  const [result, setResult] = useState<ReadResult | null>(null);
  useEffect(() => {
    setResult(null);
    if (bytes === null) return undefined;
    let isLatest = true;
    const read = async () => {
      const newResult = await readInWorker(bytes, options);
      // An earlier worker can end later, and must not replace a newer result.
      if (isLatest) setResult(newResult);
    };
    void read();
    return () => {
      isLatest = false;
    };
  }, [bytes, options]);
  return result;
}

/** Assigns a field to a column, or null if it is not used. Removes the choice of this field for another column. */
function assignField(fieldByHeading: ReadOptions['fieldByHeading'], heading: string, field: Field | null) {
  const others = Object.entries(fieldByHeading).filter(([, other]) => field === null || other !== field);
  return { ...Object.fromEntries(others), [heading]: field };
}
