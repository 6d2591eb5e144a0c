import { vi } from 'vitest';

// A setup file that restores the environment variables. The test files of a worker share them, and the previous file
// may have set the address of its engine. Values that it has stubbed would return when this file ends its own stubs.
vi.unstubAllEnvs();
const atStart: NodeJS.ProcessEnv = ((globalThis as { atStart?: NodeJS.ProcessEnv }).atStart ??= { ...process.env });
for (const name of Object.keys(process.env)) if (!(name in atStart)) delete process.env[name];
Object.assign(process.env, atStart);
