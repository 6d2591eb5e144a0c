import type { Report } from './report/report.ts';
import { start } from './tables/start.ts';
import { warmCpu } from './tables/warm-cpu.ts';

/** A table of the benchmarks: what it is about, and what measures it. */
export interface Table {
  readonly about: string;
  readonly run: () => Promise<Report | readonly Report[]>;
}

/** The tables, in the order in which they run. */
export const tables: Readonly<Record<string, Table>> = {
  start: { about: 'how long a function takes to start, beside its document client alone', run: start },
  warm: { about: 'the processor time of a request, beside peers that make the same calls', run: warmCpu },
};
