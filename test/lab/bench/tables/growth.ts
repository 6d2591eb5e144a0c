import { type ListedSupplier, seedListed } from '../data/callers.ts';
import { measureInTurns, computeRatio, type Surroundings, withEngine } from '../measure.ts';
import { type BundleProcess, withFunctionProcess } from '../processes.ts';
import type { Report, Row } from '../report.ts';

const FEW = 100_000;
const MANY = 1_000_000;
const TURNS = { rounds: 30, warmUp: 5 };
const MAX_REQUESTS = 10;

/** A kind of request. */
interface Kind {
  readonly name: string;
  readonly functionName: 'list-invoices' | 'declare-invoice';
  readonly buildEvent: (supplier: ListedSupplier, round: number) => object;
}

/** Builds the event of a search that finds one invoice. */
const buildSearch = ({ count, buildList }: ListedSupplier) => buildList({ search: `OS-2026-${count / 2}` });

const kinds: readonly Kind[] = [
  { name: 'the first page of 25', functionName: 'list-invoices', buildEvent: ({ buildList }) => buildList({}) },
  {
    name: 'a later page of 25',
    functionName: 'list-invoices',
    buildEvent: ({ count, buildList }) => buildList({ offset: count / 2 }),
  },
  { name: 'a search in a warm process', functionName: 'list-invoices', buildEvent: buildSearch },
  {
    name: 'declare',
    functionName: 'declare-invoice',
    // The declarations are of different invoices, spread over all of them.
    buildEvent: ({ count, buildDeclaration }, round) =>
      buildDeclaration(Math.floor(((round + 0.5) / (TURNS.rounds + TURNS.warmUp)) * count)),
  },
];

/** Compares the times of requests of two suppliers, one with ten times the invoices of the other. */
export function growth(): Promise<Report> {
  return withEngine(async (surroundings) => {
    const few = await seedListed(surroundings.engine, FEW);
    const many = await seedListed(surroundings.engine, MANY);
    const cells = [await countFirstSearches(surroundings, few), await countFirstSearches(surroundings, many)] as const;
    const rows: Row[] = [{ name: 'the first search, requests until a response', cells, now: cells[1] / cells[0] }];
    for (const kind of kinds) rows.push(await measureRow(surroundings, kind, few, many));
    const columns = [FEW, MANY].map((count) => count.toLocaleString('en-US'));
    return { name: 'growth', title: 'Growth', columns, measure: 'ratio', rows };
  });
}

/** Repeats a search until it succeeds, and counts the requests. Each one continues to build the indexes of days. */
function countFirstSearches({ engine }: Surroundings, supplier: ListedSupplier): Promise<number> {
  return withFunctionProcess('list-invoices', engine.endpoint, async (process) => {
    for (let sent = 1; ; sent++) {
      const succeeded = process.handle([buildSearch(supplier)]).then(() => true);
      if (await succeeded.catch((error) => sent === MAX_REQUESTS && Promise.reject(error as Error))) return sent;
    }
  });
}

async function measureRow(
  { engine }: Surroundings,
  { name, functionName, buildEvent }: Kind,
  few: ListedSupplier,
  many: ListedSupplier,
): Promise<Row> {
  const createMeasurement = (process: BundleProcess, supplier: ListedSupplier) => async (round: number) =>
    (await process.handle([buildEvent(supplier, round)])).wallMs[0]!;
  const ms = await withFunctionProcess(functionName, engine.endpoint, (one) =>
    withFunctionProcess(functionName, engine.endpoint, (other) =>
      measureInTurns({ few: createMeasurement(one, few), many: createMeasurement(other, many) }, TURNS),
    ),
  );
  const cells = [ms.few.p50, ms.many.p50];
  return { name: `${name}, p50 ms`, cells, now: computeRatio(ms.many, ms.few), required: 1.3 };
}
