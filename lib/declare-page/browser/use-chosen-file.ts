import { useEffect, useRef, useState } from 'preact/hooks';
import type { Field, ReadOptions } from '../read-invoices.ts';
import { selectRows } from '../select-rows.ts';
import { type Reading, readInWorker } from './read-in-worker.ts';

/** The file that the clerk has chosen, its reading, and the actions of the clerk. */
export type ChosenFile = ReturnType<typeof useChosenFile>;

const DETECTED: ReadOptions = { fieldByHeading: {}, isDayFirst: false };
const NO_LINES: ReadonlySet<number> = new Set();

/** Keeps the file that the clerk has chosen, how the file is read, and which of its rows are left out. */
export function useChosenFile() {
  const [source, setSource] = useState<{ name: string; bytes: Uint8Array<ArrayBuffer> } | null>(null);
  const [options, setOptions] = useState(DETECTED);
  const [leftOutLines, setLeftOutLines] = useState(NO_LINES);
  const reading = useReading(source?.bytes, options);
  const invoices = reading?.invoices;
  const selection = invoices && selectRows(invoices, leftOutLines);

  const latestFile = useRef<File | null>(null);
  const chooseFile = async (file: File) => {
    latestFile.current = file;
    const bytes = new Uint8Array(await file.arrayBuffer());
    // The clerk has chosen another file meanwhile.
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
  return { name: source?.name, isDayFirst: options.isDayFirst, reading, invoices, selection, leftOutLines, ...actions };
}

/** Reads a file again after each change of the options. Returns null until the file is read. */
function useReading(bytes: Uint8Array | undefined, options: ReadOptions): Reading | null {
  const [reading, setReading] = useState<Reading | null>(null);
  useEffect(() => {
    setReading(null);
    if (bytes === undefined) return undefined;
    let isLatest = true;
    const read = async () => {
      const newReading = await readInWorker(bytes, options);
      // An earlier reading can end later, and must not replace a newer one.
      if (isLatest) setReading(newReading);
    };
    void read();
    return () => {
      isLatest = false;
    };
  }, [bytes, options]);
  return reading;
}

/** Assigns a field to a column, or null if it is not used. Another column with the field is then detected again. */
function assignField(fieldByHeading: ReadOptions['fieldByHeading'], heading: string, field: Field | null) {
  const others = Object.entries(fieldByHeading).filter(([, other]) => field === null || other !== field);
  return { ...Object.fromEntries(others), [heading]: field };
}
