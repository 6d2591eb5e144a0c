import { type MethodDeploymentOptions, MethodLoggingLevel } from 'aws-cdk-lib/aws-apigateway';
import type { StageConfig, Throttling } from '../config.ts';
import type { Deployment } from '../options.ts';
import { publishedDocs, routes } from '../routes.ts';

/** What the gateway does with the requests of every method. */
export function stageOptions({ throttling }: StageConfig): MethodDeploymentOptions {
  return optionsWith(throttling);
}

/**
 * The same for the methods with throttling of their own, by path and method: their settings replace those of the stage
 * as a whole.
 */
export function methodOptions({ methodThrottling, docs }: Deployment): Record<string, MethodDeploymentOptions> {
  const ofDocs = docs ? publishedDocs.paths.map((path) => ({ name: publishedDocs.name, method: 'GET', path })) : [];
  const throttled = [...routes, ...ofDocs].flatMap(({ name, method, path }) => {
    const own = methodThrottling[name];
    return own ? [[`${path}/${method}`, optionsWith(own)] as const] : [];
  });
  return Object.fromEntries(throttled);
}

function optionsWith({ requestsPerSecond, burst }: Throttling): MethodDeploymentOptions {
  return {
    throttlingRateLimit: requestsPerSecond,
    throttlingBurstLimit: burst,
    loggingLevel: MethodLoggingLevel.ERROR,
    dataTraceEnabled: false,
  };
}
