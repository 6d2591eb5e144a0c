import type { Report } from './report/report.ts';
import { batch } from './tables/batch.ts';
import { bodies } from './tables/bodies.ts';
import { firstRequest } from './tables/first-request.ts';
import { bundles } from './tables/bundles.ts';
import { growth } from './tables/growth.ts';
import { lists } from './tables/lists.ts';
import { scale } from './tables/scale.ts';
import { start } from './tables/start.ts';
import { waits, warmCpu } from './tables/warm-cpu.ts';

/** A table of the benchmarks: what it is about, and what measures it. */
export interface Table {
  readonly about: string;
  /** Whether it takes so long that it runs only when it is named. */
  readonly long?: boolean;
  readonly run: () => Promise<Report | readonly Report[]>;
}

/** The tables, in the order in which they run. */
export const tables: Readonly<Record<string, Table>> = {
  start: { about: 'how long a function takes to start, beside its document client alone', run: start },
  first: { about: 'start and first request together, over TLS, beside peers', run: firstRequest },
  warm: { about: 'the processor time of a request, beside peers that make the same calls', run: warmCpu },
  waits: { about: 'how long a request takes when each call to the engine takes 4 ms, beside peers', run: waits },
  lists: { about: 'lists and searches of 10,000 and of 100,000 invoices', run: lists },
  growth: {
    about: 'what grows with the invoices of a supplier, 1,000,000 beside 100,000: half an hour',
    run: growth,
    long: true,
  },
  batch: { about: 'a batch of 100 beside a bare client that sends the same calls', run: batch },
  bodies: { about: 'what the worst bodies take before their sender is known', run: bodies },
  scale: { about: "what is full first at a month's end, for up to 1,000,000 suppliers", run: scale },
  bundles: { about: 'how large the bundles are', run: bundles },
};
