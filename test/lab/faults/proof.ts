import { setTimeout as sleep } from 'node:timers/promises';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { findContractErrors, type HttpResponse } from '../../support/answers/contract-faults.ts';
import type { FaultKind } from '../../support/engine/engine-faults.ts';
import type { EngineProxy } from '../../support/engine/engine-proxy.ts';
import { type Post, startImpatientService } from '../../support/service/impatient-service.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { createSeededRandom } from '../../support/data/seeded-random.ts';
import { findViolations, type SentRecord, type Told } from './proof-checks.ts';
import { type PlannedRequest, planProof, type SentDeclaration, type Surface } from './proof-plan.ts';
import {
  exportRepeatedly,
  exportViolations,
  type ProofSupplier,
  readStored,
  requestViolations,
  seedSuppliers,
} from './proof-data.ts';

/** What a proof found; `violations` is empty when it holds. */
export interface Proof {
  readonly violations: readonly string[];
  readonly sent: readonly SentRecord[];
  /** How many declarations were repeated because their outcome was not known, and may have been written each time. */
  readonly repeated: number;
  /** How many calls each kind of fault has hit. */
  readonly hits: EngineProxy['hits'];
  /** How many calls were made to the engine. */
  readonly calls: number;
  /** How many exports were taken meanwhile. */
  readonly exports: number;
}

const TENANT = 'proof.example';
const FAULTY_SHARE = 0.2;
const TIMEOUT_SECONDS = 4;
// Longer than a request may take: some calls are still on their way when it has been answered.
const MAX_HOLD_MS = 5_000;
// More would keep two processors so busy that answers come late for that alone.
const LANES = 16;

/**
 * Sends declarations while the engine fails in every way, and compares what was told with what is in the tables in the
 * end.
 */
export async function proveDeclarations(declarations: number, seed: number): Promise<Proof> {
  const random = createSeededRandom(seed);
  const requests = planProof(declarations, random);
  const service = await startImpatientService(TIMEOUT_SECONDS, seed);
  try {
    const suppliers = await seedSuppliers(service, TENANT, 1 + (requests.at(-1)?.supplier ?? 0));
    failInEveryWay(service.proxy, random);
    const played: Played[] = [];
    const exports = exportRepeatedly(service.engine, TENANT);
    await forEachConcurrent(requests, LANES, async (request) => {
      played.push(await play(request, suppliers[request.supplier] as ProofSupplier));
    });
    await service.proxy.waitUntilIdle();
    const exported = await exports.end();

    const sent = played.flatMap(({ records }) => records);
    const answers = played.flatMap((each) => each.answers);
    const stored = await readStored(service.engine, suppliers);
    const { code, stdout, stderr } = await runOps(service.engine.endpoint, 'verify-counters', TENANT);
    return {
      violations: [
        ...findViolations(sent, stored),
        ...(await requestViolations(service.engine, suppliers)),
        ...exportViolations(exported.revisions, stored),
        ...answers.flatMap((answer) => (answer ? findContractErrors(answer) : [])),
        ...[...countBy(service.failures(), (failure) => failure)].map(
          ([failure, times]) => `${times} times a function ended without an answer: ${failure}`,
        ),
        ...(code === 0 ? [] : [`verify-counters: ${stdout}${stderr}`]),
      ],
      sent,
      repeated: sent.filter(({ times }) => times > 1).length,
      hits: new Map(service.proxy.hits),
      calls: service.proxy.countArrivedCalls(),
      exports: exported.runs,
    };
  } finally {
    await service.close();
  }
}

const everywhere = [
  'close-connection',
  'lose-response',
  'delay-request',
  'delay-response',
  'error',
  'throttle',
] as const;

const kindsOf: Readonly<Record<string, readonly FaultKind[]>> = {
  Query: everywhere,
  UpdateItem: everywhere,
  BatchGetItem: [...everywhere, 'unprocessed', 'half-unprocessed'],
  TransactWriteItems: [...everywhere, 'conflict', 'throttled-item'],
};

/** Makes a share of all calls fail in every possible way; late calls are up to MAX_HOLD_MS late. */
function failInEveryWay(proxy: EngineProxy, random: () => number): void {
  for (const [operation, kinds] of Object.entries(kindsOf)) {
    for (const how of kinds) {
      proxy.injectFault({
        operation,
        how,
        share: FAULTY_SHARE / kinds.length,
        wait: () => sleep(random() * MAX_HOLD_MS),
      });
    }
  }
}

/** How many things there are of each name. */
export function countBy<Thing>(things: readonly Thing[], nameOf: (thing: Thing) => string): Map<string, number> {
  const groups = Map.groupBy(things, nameOf);
  return new Map([...groups].map(([name, group]) => [name, group.length]));
}

interface Played {
  readonly records: readonly SentRecord[];
  /** What was answered to the request and, when an outcome was not known, to its repetition. */
  readonly answers: readonly (HttpResponse | undefined)[];
}

async function play(request: PlannedRequest, { invoiceIds, posts }: ProofSupplier): Promise<Played> {
  const post = posts[request.user];
  if (!post) throw new Error(`There is no user ${request.user}.`);
  const declarations = request.declarations.map(({ invoice, amount, notes }) => ({
    invoice_id: invoice === null ? '4711' : (invoiceIds[invoice] ?? ''),
    amount,
    notes,
  }));
  const beganMs = performance.now();
  const { surface } = request;
  const tries = [await send(post, surface, declarations, request.patienceMs)];
  if (tries[0]?.told.includes('unknown')) tries.push(await send(post, surface, declarations));
  const endedMs = Math.max(...tries.map((each) => each.endedMs));
  const records = declarations.map(({ invoice_id: invoice, amount, notes }, place) => {
    const told = tries.flatMap((each) => each.told[place] ?? []);
    const times = told.filter((outcome) => outcome !== 'not written').length;
    return { invoice, amount, notes, told: best(told), times, beganMs, endedMs };
  });
  return { records, answers: tries.map(({ answer }) => answer) };
}

async function send(
  post: Post,
  surface: Surface,
  declarations: readonly SentDeclaration[],
  patienceMs?: number,
): Promise<{ answer: HttpResponse | undefined; told: readonly Told[]; endedMs: number }> {
  const signal = patienceMs === undefined ? undefined : AbortSignal.timeout(patienceMs);
  const beganMs = performance.now();
  const answer = await declare(post, surface, declarations, signal).catch((error: Error) => {
    if (error.name !== 'TimeoutError') throw error;
    return undefined;
  });
  const outcomes = answer && parseOutcomes(answer, declarations.length);
  return {
    answer,
    told: declarations.map((_, place) => toldBy(outcomes?.[place])),
    // Who hangs up does not end what he has begun: the function works on while it has time.
    endedMs: answer ? performance.now() : beganMs + TIMEOUT_SECONDS * 1000,
  };
}

/** Sends declarations. Only a batch can contain several. */
function declare(
  post: Post,
  surface: Surface,
  declarations: readonly SentDeclaration[],
  signal?: AbortSignal,
): Promise<HttpResponse> {
  const body = surface === 'declare' ? { ...declarations[0] } : { declarations };
  return post(`/apidev/v1/supplier-portal/invoices/${surface}`, body, signal);
}

/** Parses the outcome of each declaration of a request, in their order. */
function parseOutcomes({ body }: HttpResponse, count: number): ToldOutcome[] {
  const { data, error } = JSON.parse(body) as { data?: { results?: Result[] } & Result; error?: Result['error'] };
  if (error || !data) return Array.from({ length: count }, () => ({ declared: false, ...error }));
  return (data.results ?? [data]).map((result) => ({ declared: !result.error, ...result.error }));
}

/** A result in a response. */
interface Result {
  readonly error?: { readonly code: string; readonly message: string };
}

/** The outcome of one declaration in a response; code and message only if it was not declared. */
interface ToldOutcome {
  readonly declared: boolean;
  readonly code?: string;
  readonly message?: string;
}

/** What is known in the end of a declaration that was told so. */
function best(told: readonly Told[]): Told {
  return (['written', 'unknown'] as const).find((outcome) => told.includes(outcome)) ?? 'not written';
}

function toldBy(outcome: ToldOutcome | undefined): Told {
  if (!outcome) return 'unknown';
  if (outcome.declared) return 'written';
  const isKnown = outcome.code !== 'INTERNAL_ERROR' || outcome.message === 'The declaration could not be written.';
  return isKnown ? 'not written' : 'unknown';
}
