import { runScript, type ScriptRun, type ScriptSetting } from './run-script.ts';

/** How the operators' command line is run. */
export type OpsSetting = ScriptSetting;

/** Runs the operators' command line in a process of its own. */
export function runCli(args: readonly string[], setting: ScriptSetting = {}): Promise<ScriptRun> {
  return runScript('infra/ops/cli.ts', args, setting);
}

/** Runs it on the engine at this address. */
export function runOps(endpoint: string, ...args: string[]): Promise<ScriptRun> {
  return runCli([...args, '--local'], { env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint } });
}
