import { randomUUID } from 'node:crypto';
import type { Contract } from '../../../lib/contracts/contract.ts';
import { declareBatchContract } from '../../../lib/contracts/declare-batch.ts';
import { getInvoiceContract } from '../../../lib/contracts/get-invoice.ts';
import { legacyDispatchContract } from '../../../lib/contracts/legacy-dispatch.ts';
import { loginContract } from '../../../lib/contracts/login.ts';
import { seedSigningKey } from '../../support/service/tokens.ts';
import { inNewProcess } from '../bundles/service.ts';
import { eventOf } from '../data/events.ts';
import { heavyBodies } from '../data/heavy-bodies.ts';
import { measureInTurns } from '../measuring/in-turns.ts';
import { withEngine } from '../measuring/request-cost.ts';
import type { WarmProcess } from '../processes/warm.ts';
import type { Report } from '../report/report.ts';

const WANTED_MS = 60;
const TURNS = { rounds: 5, warmUp: 1 };

// The other routes have the pipeline of a detail, which has no body to read, or of a batch.
const routes = [loginContract, getInvoiceContract, declareBatchContract, legacyDispatchContract] as const;

const small = 'a small body';
const noCredentials: Readonly<Record<string, string>> = { [small]: '{}', ...heavyBodies };

/** How much processor time a body takes of each function when nobody knows who has sent it. */
export function bodies(): Promise<Report> {
  return withEngine(async ({ engine }) => {
    await seedSigningKey(engine);
    const columns: Record<string, number>[] = [];
    for (const contract of routes) {
      const measure = (process: WarmProcess) => measureBodies(process, contract);
      columns.push(await inNewProcess(contract.name, engine.endpoint, measure));
    }
    return {
      name: 'bodies',
      title: 'A body without credentials, CPU ms',
      columns: ['login', 'detail', 'batch', 'legacy'],
      measure: 'the worst',
      rows: Object.keys(noCredentials).map((name) => {
        const cells = columns.map((column) => column[name] ?? Number.NaN);
        return { name, cells, now: Math.max(...cells), wanted: WANTED_MS };
      }),
    };
  });
}

/** The worst of several turns. */
async function measureBodies(process: WarmProcess, contract: Contract): Promise<Record<string, number>> {
  const turnOf = (json: string) => async () => {
    const { cpuMs } = await process.answer([eventWith(contract, json)], { refused: true });
    return cpuMs;
  };
  const turns = Object.entries(noCredentials).map(([name, json]) => [name, turnOf(json)] as const);
  const used = await measureInTurns(Object.fromEntries(turns), TURNS);
  return Object.fromEntries(Object.entries(used).map(([name, { samples }]) => [name, Math.max(...samples)]));
}

/** Each event is of another address, so that no guard keeps it from being looked at. */
function eventWith(contract: Contract, json: string): object {
  const headers = { tenant: 'tenant.example', authorization: 'Bearer a.b.c', 'content-type': 'application/json' };
  const event = eventOf(contract, headers, { id: '1' }, { base64: true });
  const identity = { ...event.requestContext.identity, sourceIp: randomUUID() };
  return {
    ...event,
    pathParameters: { id: '1', WSName: 'WSObtenerFactura' },
    requestContext: { ...event.requestContext, identity },
    body: Buffer.from(json).toString('base64'),
    isBase64Encoded: true,
  };
}
