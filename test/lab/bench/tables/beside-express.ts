import { buildEngineEnvironment } from '../../../../infra/local/engine-client.ts';
import type { ContractName } from '../../../../infra/routes.ts';
import type { Contract } from '../../../../lib/contracts/contract.ts';
import { declareInvoiceContract } from '../../../../lib/contracts/declare-invoice.ts';
import { getInvoiceContract } from '../../../../lib/contracts/get-invoice.ts';
import { listInvoicesContract } from '../../../../lib/contracts/list-invoices.ts';
import { validateAmountContract } from '../../../../lib/contracts/validate-amount.ts';
import type { TestRequest } from '../../../support/service/proxy-event.ts';
import { type Bundle, bundlePeer, getServiceBundle } from '../bundles.ts';
import { type Callers, seedCallers } from '../data/callers.ts';
import { importSupplier, buildInvoiceId } from '../data/import-supplier.ts';
import { seedPeer } from '../data/peer-data.ts';
import { measureInTurns, computeMedian, computeRatio, withEngine } from '../measure.ts';
import { type BundleProcess, startTlsProxy, withProcess } from '../processes.ts';
import type { Report, Row } from '../report.ts';

const INVOICES = 1_000;
const FIRST = { rounds: 20, warmUp: 1, required: 0.6 };
const WARM = { rounds: 16, warmUp: 8, required: 0.8 };
const REQUESTS_PER_TURN = 25;
const AMOUNTS = 4_999;

/** A kind of request. The requests with different indexes read or write different data. */
interface RequestKind {
  readonly contract: Contract & { readonly name: ContractName };
  readonly buildRequest: (index: number) => TestRequest;
}

const list: RequestKind = {
  contract: listInvoicesContract,
  buildRequest: () => ({ query: { startdate: '2026-01-01', enddate: '2026-01-31', limit: '25' } }),
};
const pickInvoiceId = (index: number) => buildInvoiceId(index % INVOICES);
const buildAmountRequest = (index: number) => ({
  body: { invoice_id: pickInvoiceId(index), amount: 1000 + (index % AMOUNTS) / 100 },
});
const kinds: readonly RequestKind[] = [
  list,
  {
    contract: getInvoiceContract,
    buildRequest: (index) => ({ path: `/apidev/v1/supplier-portal/invoices/${pickInvoiceId(index)}` }),
  },
  { contract: validateAmountContract, buildRequest: buildAmountRequest },
  { contract: declareInvoiceContract, buildRequest: buildAmountRequest },
];

/** Measures the CPU time of a new process for its start and one list over TLS, compared with Express. */
export function firstRequest(): Promise<Report> {
  return withEngine(async (engine) => {
    const proxy = await startTlsProxy(engine.endpoint);
    try {
      const callers = await seedCallers(engine);
      await importSupplier(engine, callers.scope, INVOICES);
      const environment = { ...(await seedPeer(engine, callers)), ...proxy.environment };
      const event = callers.buildEvent(list.contract, list.buildRequest(0));
      const wallMs: Record<'service' | 'express', number[]> = { service: [], express: [] };
      const createMeasurement =
        (name: 'service' | 'express', { file, environment: own }: Bundle) =>
        () =>
          withProcess({ file, environment: { ...own, ...environment } }, async (process) => {
            const turn = await process.handle([event]);
            wallMs[name].push(process.loaded.wallMs + turn.wallMs[0]!);
            return process.loaded.cpuMs + turn.cpuMs;
          });
      const used = await measureInTurns(
        {
          service: createMeasurement('service', getServiceBundle('list-invoices')),
          express: createMeasurement('express', { file: await bundlePeer(), environment: {} }),
        },
        FIRST,
      );
      return {
        title: 'Start and first request',
        columns: ['CPU ms', 'ms'],
        measure: 'CPU / Express',
        rows: [
          {
            name: 'the service',
            cells: [used.service.p50, computeMedian(wallMs.service)],
            now: computeRatio(used.service, used.express),
            required: FIRST.required,
          },
          { name: 'Express', cells: [used.express.p50, computeMedian(wallMs.express)], now: 1 },
        ],
      };
    } finally {
      proxy.close();
    }
  });
}

/** Measures the CPU time of a request in a warm process, compared with Express with the same calls. */
export function warmCpu(): Promise<Report> {
  return withEngine(async (engine) => {
    const callers = await seedCallers(engine);
    await importSupplier(engine, callers.scope, INVOICES);
    const environment = { ...(await seedPeer(engine, callers)), ...buildEngineEnvironment(engine.endpoint) };
    const peer = { file: await bundlePeer(), environment };
    const rows: Row[] = [];
    for (const kind of kinds) {
      const own = getServiceBundle(kind.contract.name);
      const service = { ...own, environment: { ...own.environment, ...environment } };
      rows.push(
        await withProcess(service, (one) => withProcess(peer, (other) => compareWarm(kind, callers, one, other))),
      );
    }
    return {
      title: 'Warm CPU of a request',
      columns: ['ms', 'Express'],
      measure: 'CPU / Express',
      rows,
    };
  });
}

async function compareWarm(
  { contract, buildRequest }: RequestKind,
  callers: Callers,
  service: BundleProcess,
  express: BundleProcess,
): Promise<Row> {
  const createMeasurement = (process: BundleProcess) => async (round: number) => {
    const events = Array.from({ length: REQUESTS_PER_TURN }, (_, item) =>
      callers.buildEvent(contract, buildRequest(round * REQUESTS_PER_TURN + item)),
    );
    return (await process.handle(events)).cpuMs / REQUESTS_PER_TURN;
  };
  const used = await measureInTurns({ service: createMeasurement(service), express: createMeasurement(express) }, WARM);
  return {
    name: contract.name,
    cells: [used.service.p50, used.express.p50],
    now: computeRatio(used.service, used.express),
    required: WARM.required,
  };
}
