import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rejectArguments } from '../../infra/process/read-options.ts';
import { print, printError } from '../../infra/process/terminal.ts';
import { LOG_FILE, startCloud } from './cloud.ts';
import { createScriptRunner } from './command-line.ts';
import { testDeployment } from './story.ts';

rejectArguments(`Usage: npm run suite -- deploy

Deploys the service to an emulated cloud on this machine, uses it, updates it and removes it.
Exit codes: 0 passed, 1 failed, 77 skipped (no moto), 130 interrupted. More: test/README.md`);

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => interruption.abort());
const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
process.exitCode = await run(interruption.signal);
await rm(folder, { recursive: true });
process.exit();

async function run(signal: AbortSignal): Promise<number> {
  try {
    const cloud = await startCloud(folder, signal);
    try {
      await testDeployment(cloud, createScriptRunner(folder, cloud.environment, signal), folder);
    } finally {
      await cloud.close();
    }
    print('\nThe deployment works on the emulator. test/deploy/README.md lists what this proves and what it does not.');
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    printError(error);
    printError(`End of the emulator log:\n${(await readFile(join(folder, LOG_FILE), 'utf8')).slice(-2000)}`);
    return 1;
  }
}
