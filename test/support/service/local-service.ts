import { loadDemo } from '../../../infra/local/start/demo.ts';
import type { DemoEngine } from '../../../infra/local/prepare-data.ts';
import { type LocalService, startService } from '../../../infra/local/service.ts';
import { useStarted } from '../setup/use-started.ts';

/** Starts the synthesized stack on free ports in this process. The caller must close it. */
export function startLocalService({ demo }: { demo: boolean | 'full' }): Promise<LocalService> {
  const load = (engine: DemoEngine) => loadDemo(engine, demo === 'full' ? 'full' : 'small');
  return startService({ port: 0, dynamodbPort: 0, loadDemo: demo ? load : undefined, log: 'none' });
}

/** Starts the local service for a test file or a `describe`. By default, it has the small demo data. */
export const useLocalService = ({ demo } = { demo: true }) => useStarted(() => startLocalService({ demo }));
