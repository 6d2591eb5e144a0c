// Loads a bundle and lets it answer events, one after the other as on Lambda; tells what each turn has used.
// CommonJS without types, as a bundle is: nothing but the bundle is to be loaded.
const { handler } = require(process.argv[2]);
const context = {
  awsRequestId: 'request',
  functionName: 'function',
  getRemainingTimeInMillis: () => 20_000,
};

const cpuMsSince = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

async function answer(events) {
  const wallMs = [];
  let last;
  const before = process.cpuUsage();
  for (const event of events) {
    const startMs = performance.now();
    last = await handler(event, context);
    wallMs.push(performance.now() - startMs);
    if (last.statusCode !== 200) break;
  }
  return { cpuMs: cpuMsSince(before), wallMs, status: last.statusCode, body: last.body };
}

process.on('message', (events) => {
  answer(events).then(
    (turn) => process.send(turn),
    (error) => process.send({ status: 500, body: error.stack }),
  );
});
process.send({ cpuMs: cpuMsSince(), wallMs: performance.now() });
