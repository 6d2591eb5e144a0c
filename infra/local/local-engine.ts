import { env } from 'node:process';

/** An engine that answers at an address, or the binary of one to start. */
export interface LocalEngine {
  readonly endpoint: string | undefined;
  readonly binary: string | undefined;
}

/**
 * Where a machine without AWS finds its DynamoDB: a running engine (the SDK's own variable), or another binary to
 * start.
 */
export function localEngine(variables: Readonly<Record<string, string | undefined>> = env): LocalEngine {
  return { endpoint: variables['AWS_ENDPOINT_URL_DYNAMODB'], binary: variables['DYNOXIDE_BIN'] };
}
