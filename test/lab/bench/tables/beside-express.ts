import { buildEngineEnvironment } from '../../../../infra/local/engine-client.ts';
import type { ContractName } from '../../../../infra/routes.ts';
import type { Contract } from '../../../../lib/contracts/contract.ts';
import { declareInvoiceContract } from '../../../../lib/contracts/declare-invoice.ts';
import { getInvoiceContract } from '../../../../lib/contracts/get-invoice.ts';
import { listInvoicesContract } from '../../../../lib/contracts/list-invoices.ts';
import { validateAmountContract } from '../../../../lib/contracts/validate-amount.ts';
import type { TestRequest } from '../../../support/service/proxy-event.ts';
import { type Bundle, bundlePeer, serviceBundle } from '../bundles.ts';
import { type Callers, seedCallers } from '../data/callers.ts';
import { importSupplier, invoiceIdAt } from '../data/import-supplier.ts';
import { seedPeer } from '../data/peer-data.ts';
import { measureInTurns, medianOf, ratioOf, withEngine } from '../measure.ts';
import { type BundleProcess, startTlsProxy, withProcess } from '../processes.ts';
import type { Report, Row } from '../report.ts';

const INVOICES = 1_000;
const FIRST = { rounds: 20, warmUp: 1, wanted: 0.6 };
const WARM = { rounds: 16, warmUp: 8, wanted: 0.8 };
const REQUESTS_IN_A_TURN = 25;
const AMOUNTS = 4_999;

/** A kind of request, and one of many requests of it, no two alike in what they ask for or write. */
interface RequestKind {
  readonly contract: Contract & { readonly name: ContractName };
  readonly requestAt: (index: number) => TestRequest;
}

const list: RequestKind = {
  contract: listInvoicesContract,
  requestAt: () => ({ query: { startdate: '2026-01-01', enddate: '2026-01-31', limit: '25' } }),
};
const idAt = (index: number) => invoiceIdAt(index % INVOICES);
const amountAt = (index: number) => ({
  body: { invoice_id: idAt(index), amount: 1000 + (index % AMOUNTS) / 100 },
});
const kinds: readonly RequestKind[] = [
  list,
  {
    contract: getInvoiceContract,
    requestAt: (index) => ({ path: `/apidev/v1/supplier-portal/invoices/${idAt(index)}` }),
  },
  { contract: validateAmountContract, requestAt: amountAt },
  { contract: declareInvoiceContract, requestAt: amountAt },
];

/** Measures the CPU time that a new process takes to load and to answer one list over TLS, beside Express. */
export function firstRequest(): Promise<Report> {
  return withEngine(async ({ engine }) => {
    const proxy = await startTlsProxy(engine.endpoint);
    try {
      const callers = await seedCallers(engine);
      await importSupplier(engine, callers.scope, INVOICES);
      const environment = { ...(await seedPeer(engine, callers)), ...proxy.environment };
      const event = callers.eventOf(list.contract, list.requestAt(0));
      const wallMs: Record<'service' | 'express', number[]> = { service: [], express: [] };
      const firstAnswer =
        (name: 'service' | 'express', { file, environment: own }: Bundle) =>
        () =>
          withProcess({ file, environment: { ...own, ...environment } }, async (process) => {
            const turn = await process.answer([event]);
            wallMs[name].push(process.loaded.wallMs + turn.wallMs[0]!);
            return process.loaded.cpuMs + turn.cpuMs;
          });
      const used = await measureInTurns(
        {
          service: firstAnswer('service', serviceBundle('list-invoices')),
          express: firstAnswer('express', { file: await bundlePeer(), environment: {} }),
        },
        FIRST,
      );
      return {
        name: 'first-request',
        title: 'Start and first request',
        columns: ['CPU ms', 'ms'],
        measure: 'CPU / Express',
        rows: [
          {
            name: 'the service',
            cells: [used.service.p50, medianOf(wallMs.service)],
            now: ratioOf(used.service, used.express),
            wanted: FIRST.wanted,
          },
          { name: 'Express', cells: [used.express.p50, medianOf(wallMs.express)], now: 1 },
        ],
      };
    } finally {
      proxy.close();
    }
  });
}

/** Measures the CPU time of a request in a warm process, beside Express with the same calls. */
export function warmCpu(): Promise<Report> {
  return withEngine(async ({ engine }) => {
    const callers = await seedCallers(engine);
    await importSupplier(engine, callers.scope, INVOICES);
    const environment = { ...(await seedPeer(engine, callers)), ...buildEngineEnvironment(engine.endpoint) };
    const peer = { file: await bundlePeer(), environment };
    const rows: Row[] = [];
    for (const kind of kinds) {
      const own = serviceBundle(kind.contract.name);
      const service = { ...own, environment: { ...own.environment, ...environment } };
      rows.push(
        await withProcess(service, (one) => withProcess(peer, (other) => compareWarm(kind, callers, one, other))),
      );
    }
    return {
      name: 'warm-cpu',
      title: 'Warm CPU of a request',
      columns: ['ms', 'Express'],
      measure: 'CPU / Express',
      rows,
    };
  });
}

async function compareWarm(
  { contract, requestAt }: RequestKind,
  callers: Callers,
  service: BundleProcess,
  express: BundleProcess,
): Promise<Row> {
  const measured = (process: BundleProcess) => async (round: number) => {
    const events = Array.from({ length: REQUESTS_IN_A_TURN }, (_, item) =>
      callers.eventOf(contract, requestAt(round * REQUESTS_IN_A_TURN + item)),
    );
    return (await process.answer(events)).cpuMs / REQUESTS_IN_A_TURN;
  };
  const used = await measureInTurns({ service: measured(service), express: measured(express) }, WARM);
  return {
    name: contract.name,
    cells: [used.service.p50, used.express.p50],
    now: ratioOf(used.service, used.express),
    wanted: WARM.wanted,
  };
}
