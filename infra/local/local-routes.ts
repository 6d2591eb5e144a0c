import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { DECLARE_PAGE_POLICY } from '../../lib/http/serve-files.ts';
import { buildDeclarePageFiles } from '../declare-page/page-files.ts';
import { buildDocsRoutes } from '../openapi/page/site-files.ts';
import { buildFileRoutes } from '../static-files.ts';
import { buildClockReply, runClockCommand } from './clock-command.ts';
import { deleteCounters } from './delete-counters.ts';
import type { createFaults } from './faults.ts';
import { createEventBus, EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import type { StackDefinition } from './read-stack.ts';
import type { VirtualClock } from './virtual-clock.ts';

interface RouteSettings {
  readonly stack: StackDefinition;
  readonly clock: VirtualClock;
  readonly endpoint: string;
  /** The account whose credentials the documentation contains. */
  readonly demo: SampleAccount | undefined;
  readonly faults: ReturnType<typeof createFaults>;
  readonly events: boolean;
}

/** Builds the routes that only the local service has, by method and path: the pages, and the commands for testers. */
export function buildLocalRoutes({ stack, clock, endpoint, demo, faults, events }: RouteSettings) {
  const eventBus = createEventBus();
  const eventRoutes = { 'GET /_local/events': eventBus.list, [`POST ${EVENT_BRIDGE_PATH}`]: eventBus.put };
  return {
    ...buildDocsRoutes(demo),
    ...buildFileRoutes('/declare', buildDeclarePageFiles(), DECLARE_PAGE_POLICY),
    'GET /_local/clock': () => buildClockReply(clock),
    'POST /_local/clock': (body: string) =>
      runClockCommand(clock, body, () => deleteCounters(endpoint, stack.tableNames)),
    'POST /_local/faults': faults.respond,
    ...(events ? eventRoutes : {}),
  };
}
