import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineEnvironment } from '../../../../infra/local/engine-client.ts';
import { listInvoicesContract } from '../../../../lib/contracts/list-invoices.ts';
import { startEngine } from '../../../support/engine/engine.ts';
import { buildProxyEvent } from '../../../support/service/proxy-event.ts';
import { benchDirectory } from '../bundles/esbuild.ts';
import { comparedBundles } from '../bundles/peers.ts';
import { type Callers, seedCallers } from '../data/callers.ts';
import { importSupplier } from '../data/import-supplier.ts';
import { seedPeers } from '../data/peer-data.ts';
import { requestKinds } from '../data/request-kinds.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { quantile, ratioOf } from '../measuring/statistics.ts';
import { runCold } from '../processes/cold.ts';
import { openTlsDoor } from '../processes/tls-door.ts';
import type { Report } from '../report/report.ts';

const INVOICES = 500;
const TURNS = { rounds: 20, warmUp: 1 };
// Of the service before its start was worked on; 0.9 of it is wanted.
const BEFORE = 1.23;

const titles: Readonly<Record<string, string>> = {
  service: 'the service',
  bare: 'the calls alone',
  express: 'Express',
  fastify: 'Fastify',
};

/** How much processor time a new process takes to load and to answer one list over TLS, beside peers. */
export async function firstRequest(): Promise<Report> {
  const engine = await startEngine();
  const door = await openTlsDoor(engine.endpoint);
  try {
    const callers = await seedCallers(engine, 1);
    await importSupplier(engine, callers.scope, INVOICES);
    const bundles = await comparedBundles('list-invoices', {
      ...(await seedPeers(engine, callers)),
      ...engineEnvironment(door.endpoint),
      ...door.environment,
    });
    const eventFile = writeEvent(callers);
    const wallMs: Record<string, number[]> = {};
    const used = await measureInTurns(
      Object.fromEntries(
        Object.entries(bundles).map(([name, bundle]) => [
          name,
          async () => {
            const process = await runCold(bundle, eventFile);
            (wallMs[name] ??= []).push(process.wallMs);
            return process.cpuMs;
          },
        ]),
      ),
      TURNS,
    );
    return {
      name: 'first-request',
      title: 'Start and first request',
      columns: ['CPU ms', 'ms'],
      measure: 'CPU / the calls alone',
      rows: Object.entries(used).map(([name, own]) => ({
        name: titles[name] ?? name,
        cells: [own.p50, quantile(wallMs[name] ?? [], 0.5)],
        now: ratioOf(own, used['bare']),
        ...(name === 'service' && { wanted: 0.9 * BEFORE }),
      })),
    };
  } finally {
    door.close();
    await engine.close();
  }
}

function writeEvent({ all }: Callers): string {
  const [list] = requestKinds(INVOICES);
  const event = buildProxyEvent(listInvoicesContract, { ...list?.requestAt(0), headers: all[0]?.headers ?? {} });
  const file = join(benchDirectory, 'first-request.json');
  writeFileSync(file, JSON.stringify(event));
  return file;
}
