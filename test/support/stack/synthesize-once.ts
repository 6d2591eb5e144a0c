import { synthesize } from '../../../infra/local/synthesize.ts';

/** Runs before the test files, which would otherwise synthesize the same directory at the same time. */
export async function setup(): Promise<void> {
  await synthesize({ quiet: true });
}
