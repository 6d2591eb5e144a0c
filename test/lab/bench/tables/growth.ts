import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SupplierScope } from '../../../../lib/domain/invoice.ts';
import { inNewProcess } from '../bundles/service.ts';
import { seedCallers } from '../data/callers.ts';
import { LISTERS, type ListedSupplier, listedSupplier } from '../data/listed-supplier.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { measureCost, type Surroundings, withEngine } from '../measuring/request-cost.ts';
import { ratioOf } from '../measuring/statistics.ts';
import type { WarmProcess } from '../processes/warm.ts';
import type { Report, Row } from '../report/report.ts';

const FEW = 100_000;
const MANY = 1_000_000;
const FLAT = 1.3;
const TURNS = { rounds: 30, warmUp: 5 };
const MOST_REQUESTS = 10;
const script = fileURLToPath(new URL('../processes/operator.ts', import.meta.url));

interface Worked {
  readonly ms: number;
  /** The most memory that the process had. */
  readonly mb: number;
}

interface Supplier extends ListedSupplier {
  readonly imported: Worked;
  readonly verified: Worked;
}

/** A kind of request; no two declarations are of the same invoice. */
interface Kind {
  readonly name: string;
  readonly functionName: 'list-invoices' | 'declare-invoice';
  readonly eventOf: (supplier: ListedSupplier, round: number) => object;
}

/** A search that finds one invoice. */
const search = ({ count, eventOf }: ListedSupplier) => eventOf({ search: `OS-2026-${count / 2}` });

const kinds: readonly Kind[] = [
  { name: 'the first page of 25', functionName: 'list-invoices', eventOf: ({ eventOf }) => eventOf({}) },
  {
    name: 'a later page of 25',
    functionName: 'list-invoices',
    eventOf: ({ count, eventOf }) => eventOf({ offset: count / 2 }),
  },
  {
    name: 'a search in a warm process',
    functionName: 'list-invoices',
    eventOf: search,
  },
  {
    name: 'declare',
    functionName: 'declare-invoice',
    // Spread over all invoices, no two alike.
    eventOf: ({ count, declarationOf }, round) =>
      declarationOf(Math.floor(((round + 0.5) / (TURNS.rounds + TURNS.warmUp + 1)) * count)),
  },
];

/** What requests and operators' work take of a supplier with ten times the invoices. */
export function growth(): Promise<Report> {
  return withEngine(async (surroundings) => {
    const few = await fill(surroundings, FEW);
    const many = await fill(surroundings, MANY);
    const rows = [
      ...workRows('import', few, many, ({ imported }) => imported),
      ...workRows('verify-counters', few, many, ({ verified }) => verified),
    ];
    const sent = [await firstSearch(surroundings, few), await firstSearch(surroundings, many)] as const;
    const { wanted: _, ...first } = rowOf('the first search, requests until a response', ...sent);
    rows.push(first);
    for (const kind of kinds) rows.push(...(await requestRows(surroundings, kind, few, many)));
    return {
      name: 'growth',
      title: 'Growth',
      columns: [FEW, MANY].map((count) => count.toLocaleString('en-US')),
      measure: 'ratio',
      rows,
    };
  });
}

async function fill({ engine }: Surroundings, count: number): Promise<Supplier> {
  const callers = await seedCallers(engine, LISTERS);
  const imported = await operate('import', engine.endpoint, callers.scope, count);
  const verified = await operate('verify', engine.endpoint, callers.scope, count);
  return { ...listedSupplier(callers, count), imported, verified };
}

async function operate(work: string, endpoint: string, { tenant, supplierId }: SupplierScope, count: number) {
  const child = fork(script, [work, endpoint, tenant, supplierId, String(count)]);
  const told = once(child, 'message') as Promise<[Worked]>;
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The ${work} of ${count} invoices ended with ${code}.`);
  return (await told)[0];
}

/** How often a search is sent until it is answered: each goes on with the indexes of days where the time of the last was over. */
function firstSearch({ engine }: Surroundings, supplier: Supplier): Promise<number> {
  return inNewProcess('list-invoices', engine.endpoint, async (process) => {
    for (let sent = 1; ; sent++) {
      const answered = process.answer([search(supplier)]).then(() => true);
      if (await answered.catch((error) => sent === MOST_REQUESTS && Promise.reject(error as Error))) return sent;
    }
  });
}

function workRows(name: string, few: Supplier, many: Supplier, of: (supplier: Supplier) => Worked): Row[] {
  const microseconds = (supplier: Supplier) => (of(supplier).ms * 1000) / supplier.count;
  return [
    rowOf(`${name}, µs an invoice`, microseconds(few), microseconds(many)),
    rowOf(`${name}, MB`, of(few).mb, of(many).mb),
  ];
}

async function requestRows(
  surroundings: Surroundings,
  { name, functionName, eventOf }: Kind,
  few: Supplier,
  many: Supplier,
): Promise<Row[]> {
  const { engine, proxy } = surroundings;
  const timedBy = (process: WarmProcess, supplier: Supplier) => async (round: number) =>
    (await process.answer([eventOf(supplier, round)])).wallMs[0] ?? Number.NaN;
  const ms = await inNewProcess(functionName, engine.endpoint, (one) =>
    inNewProcess(functionName, engine.endpoint, (other) =>
      measureInTurns({ few: timedBy(one, few), many: timedBy(other, many) }, TURNS),
    ),
  );
  const unitsOf = (supplier: Supplier) =>
    inNewProcess(functionName, proxy.engine.endpoint, async (process) => {
      const last = TURNS.rounds + TURNS.warmUp;
      await process.answer([eventOf(supplier, last - 1)]);
      return (await measureCost(surroundings, process, eventOf(supplier, last))).units;
    });
  return [
    { ...rowOf(`${name}, p50 ms`, ms.few.p50, ms.many.p50), now: ratioOf(ms.many, ms.few) },
    rowOf(`${name}, units`, await unitsOf(few), await unitsOf(many)),
  ];
}

function rowOf(name: string, few: number, many: number): Row {
  return { name, cells: [few, many], now: many / few, wanted: FLAT };
}
