import { env } from 'node:process';

/**
 * Where a machine without AWS finds its DynamoDB: a running engine (the SDK's own variable), or another binary to
 * start.
 */
export function localEngine(variables: Readonly<Record<string, string | undefined>> = env) {
  return { endpoint: variables['AWS_ENDPOINT_URL_DYNAMODB'], binary: variables['DYNOXIDE_BIN'] };
}
