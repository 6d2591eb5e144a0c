import { statSync } from 'node:fs';
import { functionNames, serviceBundles } from '../bundles/service.ts';
import type { Report } from '../report/report.ts';

const WANTED_KB = 300;

/** How large the bundle of each function is. */
export async function bundles(): Promise<Report> {
  const files = await serviceBundles();
  return {
    name: 'bundles',
    title: 'Bundle of a function',
    measure: 'KB',
    rows: functionNames.map((name) => ({ name, now: statSync(files[name].file).size / 1024, wanted: WANTED_KB })),
  };
}
