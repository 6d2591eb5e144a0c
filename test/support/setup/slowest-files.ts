import { relative } from 'node:path';
import type { Reporter } from 'vitest/node';

const SHOWN = 10;

/** A reporter that prints the ten slowest test files at the end of a run of more than ten files. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= SHOWN) return;
    const times = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { file: relative(process.cwd(), module.moduleId), seconds: (collectDuration + duration) / 1000 };
    });
    const slowest = times.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
    console.log('The slowest files (including their imports):');
    for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}`);
  },
};
