import type { ScriptRun } from '../processes/run-script.ts';

const TIME_OF_NOW = /(?<=(stopped_at|tokens_from): .*|stopped it at )\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A run of the operators' command line, with TIME wherever it tells when something was stopped or ended. */
export function timeless(run: ScriptRun): ScriptRun {
  return { ...run, stdout: run.stdout.replaceAll(TIME_OF_NOW, 'TIME') };
}
