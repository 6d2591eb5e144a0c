import { type ListedSupplier, seedListed } from '../data/callers.ts';
import { measureInTurns, ratioOf, type Surroundings, withEngine } from '../measure.ts';
import { type BundleProcess, inNewProcess } from '../processes.ts';
import type { Report, Row } from '../report.ts';

const FEW = 100_000;
const MANY = 1_000_000;
const TURNS = { rounds: 30, warmUp: 5 };
const MAX_REQUESTS = 10;

/** A kind of request; no two declarations are of the same invoice. */
interface Kind {
  readonly name: string;
  readonly functionName: 'list-invoices' | 'declare-invoice';
  readonly eventOf: (supplier: ListedSupplier, round: number) => object;
}

/** A search that finds one invoice. */
const search = ({ count, listOf }: ListedSupplier) => listOf({ search: `OS-2026-${count / 2}` });

const kinds: readonly Kind[] = [
  { name: 'the first page of 25', functionName: 'list-invoices', eventOf: ({ listOf }) => listOf({}) },
  {
    name: 'a later page of 25',
    functionName: 'list-invoices',
    eventOf: ({ count, listOf }) => listOf({ offset: count / 2 }),
  },
  { name: 'a search in a warm process', functionName: 'list-invoices', eventOf: search },
  {
    name: 'declare',
    functionName: 'declare-invoice',
    // Spread over all invoices, no two alike.
    eventOf: ({ count, declarationOf }, round) =>
      declarationOf(Math.floor(((round + 0.5) / (TURNS.rounds + TURNS.warmUp)) * count)),
  },
];

/** Measures what requests of a supplier with ten times the invoices cost. */
export function growth(): Promise<Report> {
  return withEngine(async (surroundings) => {
    const few = await seedListed(surroundings.engine, FEW);
    const many = await seedListed(surroundings.engine, MANY);
    const cells = [await countFirstSearches(surroundings, few), await countFirstSearches(surroundings, many)] as const;
    const rows: Row[] = [{ name: 'the first search, requests until a response', cells, now: cells[1] / cells[0] }];
    for (const kind of kinds) rows.push(await requestRow(surroundings, kind, few, many));
    const columns = [FEW, MANY].map((count) => count.toLocaleString('en-US'));
    return { name: 'growth', title: 'Growth', columns, measure: 'ratio', rows };
  });
}

/** Sends a search until it succeeds; each continues with the indexes of days where the time of the last was over. */
function countFirstSearches({ engine }: Surroundings, supplier: ListedSupplier): Promise<number> {
  return inNewProcess('list-invoices', engine.endpoint, async (process) => {
    for (let sent = 1; ; sent++) {
      const answered = process.answer([search(supplier)]).then(() => true);
      if (await answered.catch((error) => sent === MAX_REQUESTS && Promise.reject(error as Error))) return sent;
    }
  });
}

async function requestRow(
  { engine }: Surroundings,
  { name, functionName, eventOf }: Kind,
  few: ListedSupplier,
  many: ListedSupplier,
): Promise<Row> {
  const timedBy = (process: BundleProcess, supplier: ListedSupplier) => async (round: number) =>
    (await process.answer([eventOf(supplier, round)])).wallMs[0]!;
  const ms = await inNewProcess(functionName, engine.endpoint, (one) =>
    inNewProcess(functionName, engine.endpoint, (other) =>
      measureInTurns({ few: timedBy(one, few), many: timedBy(other, many) }, TURNS),
    ),
  );
  const cells = [ms.few.p50, ms.many.p50];
  return { name: `${name}, p50 ms`, cells, now: ratioOf(ms.many, ms.few), wanted: 1.3 };
}
