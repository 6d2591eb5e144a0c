import { startService } from '../../../infra/local/service.ts';
import type { LocalService } from '../../../infra/local/service.ts';

/** Starts the synthesized stack on free ports, in this process; the caller closes it. */
export function startLocalService({ demo }: { demo: boolean | 'whole' }): Promise<LocalService> {
  const size = demo === true ? 'small' : demo || 'none';
  return startService({ port: 0, dynamodbPort: 0, demo: size, quiet: true });
}
