// Loads a bundle, passes events to it one after the other as on Lambda, and reports the time of each turn.
// This file is CommonJS without types, as a bundle is, so that the process loads nothing but the bundle.
const { handler } = require(process.argv[2]);
const context = {
  awsRequestId: 'request',
  functionName: 'function',
  getRemainingTimeInMillis: () => 20_000,
};

const measureCpuMs = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

// The log line of each request contains its round trips and units.
const logLines = [];
for (const stream of [process.stdout, process.stderr]) stream.write = (line) => logLines.push(line) > 0;

function readUsage() {
  const line = logLines.splice(0).find((text) => text.includes('"round_trips"')) ?? '{}';
  const { round_trips: roundTrips, read_units: readUnits, write_units: writeUnits } = JSON.parse(line);
  return { roundTrips, units: readUnits + writeUnits };
}

async function handleEvents(events) {
  const wallMs = [];
  const usages = [];
  let last;
  const before = process.cpuUsage();
  for (const event of events) {
    const startMs = performance.now();
    last = await handler(event, context);
    wallMs.push(performance.now() - startMs);
    usages.push(readUsage());
    if (last.statusCode !== 200) break;
  }
  return { cpuMs: measureCpuMs(before), wallMs, usages, status: last.statusCode, body: last.body };
}

process.on('message', (events) => {
  handleEvents(events).then(
    (turn) => process.send(turn),
    (error) => process.send({ status: 500, body: error.stack }),
  );
});
process.send({ cpuMs: measureCpuMs(), wallMs: performance.now() });
