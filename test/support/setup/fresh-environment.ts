// A set-up file. The test files of a worker share its environment, in which the one before may have left the address of
// its engine.
const atStart: NodeJS.ProcessEnv = ((globalThis as { atStart?: NodeJS.ProcessEnv }).atStart ??= { ...process.env });
for (const name of Object.keys(process.env)) if (!(name in atStart)) delete process.env[name];
Object.assign(process.env, atStart);
