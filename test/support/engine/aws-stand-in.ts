import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, localHost } from '../../../infra/local/ports.ts';

/** A stand-in for the AWS services, other than DynamoDB, that a command asks about a deployed stack. */
export interface AwsStandIn {
  /** The SDK's variables that lead to it. */
  readonly env: Readonly<Record<string, string>>;
  /** What was asked, in order: the action or path, the region it was signed for, and the body. */
  readonly requests: readonly { readonly action: string; readonly region: string; readonly body: string }[];
  close(): Promise<void>;
}

/** What the stand-in knows. */
export interface AwsFacts {
  readonly stack: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly callerArn: string;
  /** What every function returns. */
  readonly functionResult: unknown;
}

/** Starts a stand-in that answers DescribeStacks, GetCallerIdentity and Invoke in the services' own wire formats. */
export async function startAwsStandIn(facts: AwsFacts): Promise<AwsStandIn> {
  const requests: { action: string; region: string; body: string }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const form = new URLSearchParams(body);
    const region = /Credential=[^/]+\/\d+\/([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const action = form.get('Action') ?? request.url ?? '';
    requests.push({ action, region, body });
    const known = action !== 'DescribeStacks' || form.get('StackName') === facts.stack;
    response
      .writeHead(known ? 200 : 400)
      .end(known ? answerTo(action, facts) : noSuchStack(form.get('StackName') ?? ''));
  };
  const server = createServer((request, response) => void answer(request, response));
  const port = await listen(server, 0);
  const url = `http://${localHost}:${port}`;
  return {
    env: { AWS_ENDPOINT_URL_CLOUDFORMATION: url, AWS_ENDPOINT_URL_STS: url, AWS_ENDPOINT_URL_LAMBDA: url },
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(action: string, { outputs, callerArn, functionResult }: AwsFacts): string {
  if (action === 'GetCallerIdentity') return result(action, `<Arn>${callerArn}</Arn>`);
  if (action !== 'DescribeStacks') return JSON.stringify(functionResult);
  const members = Object.entries(outputs).map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<StackName>S</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime>`;
  return result(action, `<Stacks><member>${stack}<Outputs>${members.join('')}</Outputs></member></Stacks>`);
}

function result(action: string, content: string): string {
  return `<${action}Response><${action}Result>${content}</${action}Result></${action}Response>`;
}

function noSuchStack(stack: string): string {
  const message = `Stack with id ${stack} does not exist`;
  return `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`;
}
