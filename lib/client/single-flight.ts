import { untilAborted } from './until-aborted.ts';

interface Flight<Value> {
  readonly controller: AbortController;
  readonly result: Promise<Value>;
  waiting: number;
}

/** Does work once for all callers that ask while it is under way. The work is aborted when the last caller has left. */
export function singleFlight<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
): (signal: AbortSignal | undefined) => Promise<Value> {
  let current: Flight<Value> | undefined;

  return async (signal) => {
    signal?.throwIfAborted();
    const flight = (current ??= begin(work));
    flight.waiting += 1;
    try {
      return await untilAborted(flight.result, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        current = undefined;
        flight.controller.abort();
      }
    }
  };
}

function begin<Value>(work: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
  const controller = new AbortController();
  return { controller, result: work(controller.signal), waiting: 0 };
}
