// A bare client: sends recorded calls again, each when those have ended that had ended before it was sent. It is loaded
// as a bundle is, and answers when all are done.
const { Agent, request } = require('node:http');

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

exports.handler = async ({ endpoint, calls }) => {
  const ended = [];
  for (const [index, call] of calls.entries()) {
    ended[index] = Promise.all(call.after.map((before) => ended[before])).then(() => send(endpoint, call));
  }
  const statuses = await Promise.all(ended);
  const failed = statuses.findIndex((status) => status !== 200);
  return { statusCode: failed === -1 ? 200 : 500, body: failed === -1 ? '' : `Call ${failed} was refused.` };
};

function send(endpoint, { headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(endpoint, { method: 'POST', agent, headers }, (answer) => {
      answer.on('data', () => {}).on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject).end(body);
  });
}
