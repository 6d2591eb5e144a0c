// Loads a bundle, and lets it answer one event if there is one; then tells what the process has used up to then.
// CommonJS without types, as a bundle is: nothing but the bundle is to be loaded.
const { readFileSync, writeSync } = require('node:fs');

const [, , bundle, eventFile] = process.argv;

async function run() {
  const { handler } = require(bundle);
  const context = { awsRequestId: 'request', functionName: 'function', getRemainingTimeInMillis: () => 20_000 };
  const answer = eventFile ? await handler(JSON.parse(readFileSync(eventFile, 'utf8')), context) : { statusCode: 200 };
  const { user, system } = process.cpuUsage();
  const used = { cpuMs: (user + system) / 1000, wallMs: performance.now(), status: answer.statusCode };
  writeSync(3, JSON.stringify(used.status === 200 ? used : { ...used, body: answer.body }));
  // Connections that are kept open would keep the process.
  process.exit(0);
}

void run();
