import { synthesize } from '../../../infra/local/synthesize.ts';

/** Synthesizes the stack before all test files, so that they do not write the same directory at the same time. */
export async function setup(): Promise<void> {
  await synthesize({ quiet: true });
}
