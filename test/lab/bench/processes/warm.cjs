// Loads a bundle and lets it answer events, one after the other as on Lambda; tells what each turn has used.
const [, , bundle] = process.argv;
const { handler } = require(bundle);
const context = {
  awsRequestId: 'request',
  functionName: 'function',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:function',
  memoryLimitInMB: '1024',
  getRemainingTimeInMillis: () => 20_000,
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
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs, status: last.statusCode, body: last.body };
}

process.on('message', (events) => {
  answer(events).then(
    (turn) => process.send(turn),
    (error) => process.send({ status: 500, body: error.stack }),
  );
});
process.send('loaded');
