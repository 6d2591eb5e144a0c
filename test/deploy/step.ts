import { performance } from 'node:perf_hooks';
import { stdout } from 'node:process';

/** Prints a label, does the work, and prints how long it took. */
export async function step<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  stdout.write(`${label} ... `);
  try {
    const result = await work();
    stdout.write(`${((performance.now() - start) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    stdout.write('failed\n');
    throw error;
  }
}
