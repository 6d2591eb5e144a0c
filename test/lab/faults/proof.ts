import { setTimeout as sleep } from 'node:timers/promises';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { findContractErrors, type HttpResponse } from '../../support/answers/contract-faults.ts';
import type { FaultKind } from '../../support/engine/engine-faults.ts';
import type { EngineProxy } from '../../support/engine/engine-proxy.ts';
import { type Post, startImpatientService } from '../../support/service/impatient-service.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { createSeededRandom } from '../../support/data/seeded-random.ts';
import { findViolations, findWrongExports, type SentRecord, type Outcome } from './proof-checks.ts';
import { startCommands } from './proof-commands.ts';
import { type PlannedRequest, planProof, type SentDeclaration, type Surface } from './proof-plan.ts';
import { type ProofSupplier, readStored, seedSuppliers } from './proof-data.ts';

const TENANT = 'proof.example';
const FAULTY_SHARE = 0.2;
const TIMEOUT_SECONDS = 4;
// Longer than the time limit of a request, so that some calls end after its response.
const MAX_DELAY_MS = 5_000;
// With more, two processors would be so busy that responses are late for that reason alone.
const CONCURRENCY = 16;
// The clocks of the functions and of the commands differ by this time.
const CLOCK_AHEAD_MS = 5 * 60_000;

/**
 * Sends declarations while the engine fails in every way, and compares the responses with the tables at the end. The
 * proof succeeds if there are no violations.
 */
export async function proveDeclarations(declarations: number, seed: number) {
  const random = createSeededRandom(seed);
  const requests = planProof(declarations, random);
  const service = await startImpatientService(TIMEOUT_SECONDS, { seed, clockAheadMs: CLOCK_AHEAD_MS });
  try {
    const suppliers = await seedSuppliers(service, TENANT, 1 + (requests.at(-1)?.supplier ?? 0));
    failInEveryWay(service.proxy, random);
    const commands = await startCommands(service.engine, TENANT, suppliers);
    const played: PlayedRequest[] = [];
    await forEachConcurrent(requests, CONCURRENCY, async (request) => {
      played.push(await play(request, suppliers[request.supplier] as ProofSupplier));
    });
    await service.proxy.waitUntilIdle();
    const { exported, rounds } = await commands.finish();

    const sent = played.flatMap(({ records }) => records);
    const responses = played.flatMap((each) => each.responses);
    const stored = await readStored(service.engine, suppliers);
    const { code, stdout, stderr } = await runOps(service.engine.endpoint, 'verify', TENANT);
    return {
      violations: [
        ...findViolations(sent, stored),
        ...findWrongExports(stored, exported),
        ...responses.flatMap((response) => (response ? findContractErrors(response) : [])),
        ...service.failures().map((failure) => `a function ended without a response: ${failure}`),
        ...(code === 0 ? [] : [`verify: ${stdout}${stderr}`]),
      ],
      sent,
      /** The number of declarations that were sent again after an unknown outcome, and can have been written twice. */
      repeated: sent.filter(({ maxTimes }) => maxTimes > 1).length,
      hits: new Map(service.proxy.hits),
      /** The number of times that the commands of the company have run. */
      rounds,
      calls: service.proxy.countArrivedCalls(),
    };
  } finally {
    await service.close();
  }
}

const commonKinds = [
  'close-connection',
  'lose-response',
  'delay-request',
  'delay-response',
  'error',
  'throttle',
] as const;

const kindsByOperation: Readonly<Record<string, readonly FaultKind[]>> = {
  Query: commonKinds,
  UpdateItem: commonKinds,
  BatchGetItem: [...commonKinds, 'unprocessed', 'half-unprocessed'],
  TransactWriteItems: [...commonKinds, 'conflict', 'throttled-item'],
};

/** Makes a share of all calls fail in every possible way. Late calls have a delay of up to MAX_DELAY_MS. */
function failInEveryWay(proxy: EngineProxy, random: () => number): void {
  for (const [operation, kinds] of Object.entries(kindsByOperation)) {
    for (const how of kinds) {
      proxy.injectFault({
        operation,
        how,
        share: FAULTY_SHARE / kinds.length,
        wait: () => sleep(random() * MAX_DELAY_MS),
      });
    }
  }
}

interface PlayedRequest {
  readonly records: readonly SentRecord[];
  /** The response to the request and, if an outcome was unknown, to its retry. */
  readonly responses: readonly (HttpResponse | undefined)[];
}

async function play(request: PlannedRequest, { invoiceIds, posts }: ProofSupplier): Promise<PlayedRequest> {
  const post = posts[request.user];
  if (!post) throw new Error(`There is no user ${request.user}.`);
  const declarations = request.declarations.map(({ invoice, amount, notes }) => ({
    invoice_id: invoice === null ? '4711' : (invoiceIds[invoice] ?? ''),
    amount,
    notes,
  }));
  const beganMs = performance.now();
  const { surface } = request;
  const attempts = [await send(post, surface, declarations, request.patienceMs)];
  if (attempts[0]?.outcomes.includes('unknown')) attempts.push(await send(post, surface, declarations));
  const endedMs = Math.max(...attempts.map((each) => each.endedMs));
  const records = declarations.map(({ invoice_id: invoice, amount, notes }, index) => {
    const outcomes = attempts.flatMap((each) => each.outcomes[index] ?? []);
    const maxTimes = outcomes.filter((outcome) => outcome !== 'not written').length;
    const followsUnknown = attempts.some((each) =>
      declarations.some((other, at) => at < index && other.invoice_id === invoice && each.outcomes[at] === 'unknown'),
    );
    return { invoice, amount, notes, outcome: mergeOutcomes(outcomes), maxTimes, followsUnknown, beganMs, endedMs };
  });
  return { records, responses: attempts.map(({ response }) => response) };
}

async function send(
  post: Post,
  surface: Surface,
  declarations: readonly SentDeclaration[],
  patienceMs?: number,
): Promise<{ response: HttpResponse | undefined; outcomes: readonly Outcome[]; endedMs: number }> {
  const signal = patienceMs === undefined ? undefined : AbortSignal.timeout(patienceMs);
  const beganMs = performance.now();
  const response = await declare(post, surface, declarations, signal).catch((error: Error) => {
    if (error.name !== 'TimeoutError') throw error;
    return undefined;
  });
  const results = response && parseResults(response, declarations.length);
  return {
    response,
    outcomes: declarations.map((_, index) => toOutcome(results?.[index])),
    // After a client disconnects, the function continues until its timeout.
    endedMs: response ? performance.now() : beganMs + TIMEOUT_SECONDS * 1000,
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

/** Parses the result of each declaration in a response, in their order. */
function parseResults({ body }: HttpResponse, count: number): DeclarationResult[] {
  const { data, error } = JSON.parse(body) as { data?: { results?: Result[] } & Result; error?: Result['error'] };
  if (error || !data) return Array.from({ length: count }, () => ({ declared: false, ...error }));
  return (data.results ?? [data]).map((result) => ({ declared: !result.error, ...result.error }));
}

/** A result in a response. */
interface Result {
  readonly error?: { readonly code: string; readonly message: string };
}

/** The result of one declaration. It has a code and a message only if it was not declared. */
interface DeclarationResult {
  readonly declared: boolean;
  readonly code?: string;
  readonly message?: string;
}

/** Returns the outcome of a declaration after all attempts. */
function mergeOutcomes(outcomes: readonly Outcome[]): Outcome {
  return (['written', 'unknown'] as const).find((outcome) => outcomes.includes(outcome)) ?? 'not written';
}

function toOutcome(result: DeclarationResult | undefined): Outcome {
  if (!result) return 'unknown';
  if (result.declared) return 'written';
  const isKnown = result.code !== 'INTERNAL_ERROR' || result.message === 'The declaration could not be written.';
  return isKnown ? 'not written' : 'unknown';
}
