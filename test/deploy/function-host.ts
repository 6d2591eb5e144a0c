import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen, LOCAL_HOST } from '../../infra/local/ports.ts';
import { type Bundle, type Report, runOnce } from '../support/processes/runtime-interface.ts';

interface Invocation extends Bundle {
  readonly name: string;
  readonly event: object;
}

/**
 * Starts a server that runs the functions that the emulator invokes. Every function gets `lambdaEnvironment` in addition
 * to its own environment.
 */
export async function startFunctionHost(lambdaEnvironment: Readonly<Record<string, string>>) {
  const invoked: string[] = [];
  const runInvocation = async (request: IncomingMessage): Promise<Report> => {
    const { name, event, environment, ...bundle } = (await json(request)) as Invocation;
    invoked.push(name);
    return runOnce({ ...bundle, environment: { ...lambdaEnvironment, ...environment } }, event);
  };
  const server = createServer((request, response) => {
    void runInvocation(request)
      .catch((error: Error): Report => ({ path: 'exit', body: { errorMessage: error.message } }))
      .then((report) => response.end(JSON.stringify(report)));
  });
  const url = `http://${LOCAL_HOST}:${await listen(server, 0)}`;
  return {
    url,
    /** The names of the functions that the server has run, in order. */
    invoked: invoked as readonly string[],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
