import { performance } from 'node:perf_hooks';
import { stdout } from 'node:process';

/** Says what is being done, does it, and says how long that took. */
export async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  stdout.write(`${what} ... `);
  try {
    const result = await work();
    stdout.write(`${((performance.now() - start) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    stdout.write('failed\n');
    throw error;
  }
}
