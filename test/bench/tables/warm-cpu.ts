import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import type { Contract } from '../../../lib/contracts/contract.ts';
import type { ContractName } from '../../../lib/contracts/contracts.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { bundlePeer, type PeerName } from '../bundles/peers.ts';
import { serviceBundles } from '../bundles/service.ts';
import { type Callers, seedCallers } from '../data/callers.ts';
import { eventOf } from '../data/events.ts';
import { importSupplier } from '../data/import-supplier.ts';
import { seedPeers } from '../data/peer-data.ts';
import { type RequestKind, requestKinds } from '../data/request-kinds.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { ratioOf } from '../measuring/statistics.ts';
import { startWarm, type WarmProcess } from '../processes/warm.ts';
import type { Report, Row } from '../report/report.ts';

const peers = ['express', 'fastify', 'bare'] as const satisfies readonly PeerName[];
const wanted = { list: 0.8, detail: 0.8, validate: 0.8, declare: 0.8 };

// So many that none meets its limit, even if all requests came within a minute.
const CALLERS = 80;
const INVOICES = 1_000;
const REQUESTS_IN_A_TURN = 25;
const TURNS = { rounds: 16, warmUp: 8 };

/** How much processor time a request costs a process that is warm, beside peers that make the same calls. */
export async function warmCpu(): Promise<Report> {
  const engine = await startEngine();
  try {
    const callers = await seedCallers(engine, CALLERS);
    await importSupplier(engine, callers.scope, INVOICES);
    const environment = { ...(await seedPeers(engine, callers)), ...engineEnvironment(engine.endpoint) };
    const rows: Row[] = [];
    for (const kind of requestKinds(INVOICES)) rows.push(await measureKind(kind, callers, environment));
    return {
      name: 'warm-cpu',
      title: 'Warm CPU of a request',
      columns: ['ms', 'Express', 'Fastify', 'the calls alone'],
      measure: 'CPU / Express',
      rows,
    };
  } finally {
    await engine.close();
  }
}

async function measureKind(
  kind: RequestKind,
  callers: Callers,
  environment: Readonly<Record<string, string>>,
): Promise<Row> {
  const processes = await startProcesses(kind.contract, environment);
  const turnOf = (process: WarmProcess, base64: boolean) => async (round: number) => {
    const { cpuMs } = await process.answer(eventsOf(callers, kind, round, { base64 }));
    return cpuMs / REQUESTS_IN_A_TURN;
  };
  const used = await measureInTurns(
    Object.fromEntries(Object.entries(processes).map(([name, process]) => [name, turnOf(process, name === 'service')])),
    TURNS,
  );
  for (const process of Object.values(processes)) await process.close();
  return {
    name: kind.name,
    cells: ['service', ...peers].map((name) => used[name]?.p50 ?? Number.NaN),
    now: ratioOf(used['service'], used['express']),
    wanted: wanted[kind.name],
  };
}

async function startProcesses(
  { name }: Contract,
  environment: Readonly<Record<string, string>>,
): Promise<Record<string, WarmProcess>> {
  const own = (await serviceBundles())[name as ContractName];
  const processes = {
    service: await startWarm({ ...own, environment: { ...own.environment, ...environment } }),
  } as Record<string, WarmProcess>;
  for (const peer of peers) {
    const file = await bundlePeer(peer);
    if (!file) continue;
    processes[peer] = await startWarm({ file, environment: { ...environment, AWS_LAMBDA_FUNCTION_NAME: peer } });
  }
  return processes;
}

function eventsOf(
  { all }: Callers,
  { contract, requestAt }: RequestKind,
  round: number,
  form: { readonly base64: boolean },
): object[] {
  return Array.from({ length: REQUESTS_IN_A_TURN }, (_, item) => {
    const index = round * REQUESTS_IN_A_TURN + item;
    return eventOf(contract, all[index % all.length]?.headers ?? {}, requestAt(index), form);
  });
}
