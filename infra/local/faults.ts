import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../lib/domain/errors.ts';
import { userNotVerified } from '../../lib/domain/texts.ts';
import { ENVELOPE, RESPONSE_HEADERS } from '../../lib/http/responses.ts';
import { RESULTADO_FORMAT } from '../../lib/legacy/resultado.ts';
import type { Invoke, Outcome } from './local-functions.ts';
import { buildJsonReply, buildUsageReply, parseCommand, type Reply } from './reply.ts';

/** The faults of calls. With a status, the function is not called. With a name, its response is lost or late. */
const FAULTS = [500, 503, 'lost', 'slow'] as const;
/** An outcome with `isLost` does not reach the client: the gateway closes the connection without a response. */
export type FaultyOutcome = Outcome & { readonly isLost?: true };
const MAX_TIMES = 1000;
/** The delay of a late response. The guide recommends a timeout of 30 seconds. */
const SLOW_MS = 35_000;
const USAGE = `Send {"next": FAULT, "times": N}, with a FAULT of ${JSON.stringify(FAULTS)}, and N from 0 to ${MAX_TIMES}.`;

/** Creates the emulation of faults: `respond` sets the next faults, and `invoke` calls a function with the next fault. */
export function createFaults(invoke: Invoke) {
  let nextFaults: (typeof FAULTS)[number][] = [];
  return {
    respond: (body: string): Reply => {
      const { next, times = 1, ...otherEntries } = parseCommand(body);
      const fault = FAULTS.find((candidate) => candidate === next);
      const hasOtherEntries = Object.keys(otherEntries).length > 0;
      if (fault === undefined || !isCount(times) || hasOtherEntries) return buildUsageReply(USAGE);
      nextFaults = Array.from({ length: times }, () => fault);
      return buildJsonReply(200, { next: fault, times });
    },
    invoke: async (functionId: string, event: APIGatewayProxyEvent, requestId: string): Promise<FaultyOutcome> => {
      const fault = nextFaults.pop();
      if (fault === 500) return { failure: 'error' };
      if (fault === 503) return { result: buildUnavailableResult(event.path, requestId) };
      const outcome = await invoke(functionId, event, requestId);
      // With `ref: false`, the timer does not keep the process running.
      if (fault === 'slow') await sleep(SLOW_MS, undefined, { ref: false });
      return fault === 'lost' ? { ...outcome, isLost: true } : outcome;
    },
  };
}

function isCount(times: unknown): times is number {
  return typeof times === 'number' && Number.isInteger(times) && times >= 0 && times <= MAX_TIMES;
}

/** Builds the result that a function returns if it cannot verify the user. Its message is always in English. */
function buildUnavailableResult(path: string, requestId: string) {
  const format = path.startsWith('/apidev/legacy/') ? RESULTADO_FORMAT : ENVELOPE;
  const { status, body } = format.error(new ServiceError('SERVICE_UNAVAILABLE', userNotVerified), 'en');
  const headers = { ...RESPONSE_HEADERS, 'X-Request-Id': requestId };
  return { statusCode: status, headers, body: JSON.stringify(body) };
}
