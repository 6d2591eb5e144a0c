import type { StreamRecord } from '../../lib/events/history-records.ts';
import { printable } from '../printable.ts';
import { printError } from '../terminal.ts';
import { deliver } from './deliver-records.ts';
import { filterOf } from './event-filter.ts';
import type { LocalFunction } from './local-function.ts';
import type { StackDefinition } from './read-stack.ts';
import { readStream } from './stream-reader.ts';

/** Runs the functions that the stack's streams call, until it is stopped; throws for a filter that is not known here. */
export function runStreamFunctions(
  { eventSources }: Pick<StackDefinition, 'eventSources'>,
  endpoint: string,
  functionOf: (id: string) => Pick<LocalFunction, 'invoke'>,
): { readonly stop: () => Promise<void> } {
  const end = new AbortController();
  const { signal } = end;
  const sources = eventSources.map((source) => ({ ...source, filters: source.patterns.map(filterOf) }));
  const readers = sources.map(async ({ functionId, table, batchSize, retryAttempts, filters }) => {
    const delivery = {
      retryAttempts,
      signal,
      invoke: (event: object) => functionOf(functionId).invoke(event),
      giveUp: (record: object) => printError(`Given up after all attempts: ${printable(JSON.stringify(record))}`),
    };
    const work = async (records: readonly StreamRecord[]) => {
      const passing = records.filter((record) => filters.some((passes) => passes(record)));
      for (let from = 0; from < passing.length; from += batchSize)
        await deliver(delivery, passing.slice(from, from + batchSize));
    };
    await readStream({ endpoint, table }, work, signal);
  });
  const ended = Promise.all(readers);
  return {
    async stop() {
      end.abort();
      await ended;
    },
  };
}
