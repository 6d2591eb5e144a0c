import { engineEnvironment } from '../../../../infra/local/engine-client.ts';
import type { Contract } from '../../../../lib/contracts/contract.ts';
import type { ContractName } from '../../../../infra/routes.ts';
import type { EngineProxy } from '../../../support/engine/engine-proxy.ts';
import { buildProxyEvent } from '../../../support/service/proxy-event.ts';
import { comparedBundles, type PeerName } from '../bundles/peers.ts';
import { type Callers, seedCallers } from '../data/callers.ts';
import { importSupplier } from '../data/import-supplier.ts';
import { seedPeers } from '../data/peer-data.ts';
import { type RequestKind, requestKinds } from '../data/request-kinds.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { withEngine } from '../measuring/request-cost.ts';
import { quantile, ratioOf, type Summary } from '../measuring/statistics.ts';
import { startWarm, type Turn, type WarmProcess } from '../processes/warm.ts';
import type { Report, Row } from '../report/report.ts';

const peers = ['express', 'fastify', 'bare'] as const satisfies readonly PeerName[];
const wantedCpu = { list: 0.8, detail: 0.8, validate: 0.8, declare: 0.8 };
// What reading ahead was to save: a wait in two for a read, one in three for a declaration.
const wantedWait = { list: 0.7, detail: 0.63, validate: 0.66, declare: 0.77 };

// So many that none meets its limit, even if all requests came within a minute.
const CALLERS = 80;
const INVOICES = 1_000;
const REQUESTS_IN_A_TURN = 25;
const TURNS = { rounds: 16, warmUp: 8 };
// About what a call to DynamoDB takes in AWS.
const CALL_MS = 4;

type Values = (kind: RequestKind, used: Readonly<Record<string, Summary>>, trips: readonly number[]) => Row;

/** How much processor time a request costs a process that is warm, beside peers that make the same calls. */
export async function warmCpu(): Promise<Report> {
  return {
    name: 'warm-cpu',
    title: 'Warm CPU of a request',
    columns: ['ms', 'Express', 'Fastify', 'the calls alone'],
    measure: 'CPU / Express',
    rows: await measureKinds(
      ({ cpuMs }) => cpuMs / REQUESTS_IN_A_TURN,
      ({ name }, used) => ({
        name,
        cells: ['service', ...peers].map((one) => used[one]?.p50 ?? Number.NaN),
        now: ratioOf(used['service'], used['express']),
        wanted: wantedCpu[name],
      }),
    ),
  };
}

/** How long a caller waits for a warm process when each call takes 4 ms more, beside peers that check first. */
export async function waits(): Promise<Report> {
  return {
    name: 'waits',
    title: `p50 with ${CALL_MS} ms a call`,
    columns: ['ms', 'Express', 'Fastify', 'calls alone', 'round trips', 'peer trips'],
    measure: 'ratio',
    rows: await measureKinds(
      ({ wallMs }) => quantile(wallMs, 0.5),
      ({ name }, used, [own = Number.NaN, ...theirs]) => ({
        name,
        cells: [...['service', ...peers].map((one) => used[one]?.p50 ?? Number.NaN), own, theirs.at(-1) ?? Number.NaN],
        now: ratioOf(used['service'], used['bare']),
        wanted: wantedWait[name],
      }),
      CALL_MS,
    ),
  };
}

/** Measures each kind of request in turns: what a turn of 25 requests gives, through a door that holds calls for so long. */
function measureKinds(valueOf: (turn: Turn) => number, rowOf: Values, callMs = 0): Promise<Row[]> {
  return withEngine(async ({ engine, proxy }) => {
    const callers = await seedCallers(engine, CALLERS);
    await importSupplier(engine, callers.scope, INVOICES);
    const { endpoint } = callMs > 0 ? proxy.engine : engine;
    const environment = { ...(await seedPeers(engine, callers)), ...engineEnvironment(endpoint) };
    proxy.delayMs = callMs;
    const rows: Row[] = [];
    for (const kind of requestKinds(INVOICES))
      rows.push(await measureKind(kind, callers, environment, { valueOf, rowOf, proxy }));
    return rows;
  });
}

async function measureKind(
  kind: RequestKind,
  callers: Callers,
  environment: Readonly<Record<string, string>>,
  { valueOf, rowOf, proxy }: { valueOf: (turn: Turn) => number; rowOf: Values; proxy: EngineProxy },
): Promise<Row> {
  const processes = await startProcesses(kind.contract, environment);
  const answer = (name: string, round: number) => processes[name]!.answer(eventsOf(callers, kind, round));
  try {
    const names = Object.keys(processes);
    const used = await measureInTurns(
      Object.fromEntries(names.map((name) => [name, async (round: number) => valueOf(await answer(name, round))])),
      TURNS,
    );
    const trips: number[] = [];
    for (const name of names) {
      proxy.reset();
      await answer(name, TURNS.warmUp + TURNS.rounds);
      trips.push(proxy.serialRoundTrips() / REQUESTS_IN_A_TURN);
    }
    return rowOf(kind, used, trips);
  } finally {
    for (const process of Object.values(processes)) await process.close();
  }
}

async function startProcesses(
  { name }: Contract,
  environment: Readonly<Record<string, string>>,
): Promise<Record<string, WarmProcess>> {
  const bundles = await comparedBundles(name as ContractName, environment);
  const processes: Record<string, WarmProcess> = {};
  for (const [program, bundle] of Object.entries(bundles)) processes[program] = await startWarm(bundle);
  return processes;
}

function eventsOf({ all }: Callers, { contract, requestAt }: RequestKind, round: number): object[] {
  return Array.from({ length: REQUESTS_IN_A_TURN }, (_, item) => {
    const index = round * REQUESTS_IN_A_TURN + item;
    return buildProxyEvent(contract, { ...requestAt(index), headers: all[index % all.length]?.headers ?? {} });
  });
}
