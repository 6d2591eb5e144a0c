import type { Cloud } from './cloud.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** A REST API as API Gateway describes it, as far as its deployment is of interest. */
export interface DeployedGateway {
  /** The name of the function behind a method and path, such as `POST /apidev/v1/login`. */
  readonly routes: Readonly<Record<string, string | undefined>>;
  readonly binaryMediaTypes: readonly string[];
  readonly stages: readonly { readonly stageName: string; readonly tracingEnabled: boolean }[];
  /** The status of an answer of the gateway's own, by its type. */
  readonly responses: Readonly<Record<string, string>>;
}

interface Resource {
  readonly path: string;
  readonly resourceMethods?: Readonly<Record<string, { readonly methodIntegration: { readonly uri: string } }>>;
}

/** Reads the REST API of a stack. */
export async function readDeployedGateway(cloud: Cloud, { outputs }: DeployedStack): Promise<DeployedGateway> {
  const [apiId] = new URL(outputs['ApiUrl']!).hostname.split('.');
  const read = async (path = ''): Promise<unknown> => {
    const response = await fetch(`${cloud.client.endpoint}/restapis/${apiId}${path}`, { headers: ofApiGateway });
    return response.json();
  };
  const list = async <Item>(path: string) => ((await read(`/${path}`)) as { item: Item[] }).item;
  const resources = await list<Resource>('resources?embed=methods&limit=500');
  const routes = resources.flatMap(({ path, resourceMethods = {} }) =>
    Object.entries(resourceMethods).map(([method, { methodIntegration }]) => [
      `${method} ${path}`,
      /:function:([^/]+)\/invocations$/.exec(methodIntegration.uri)?.[1],
    ]),
  );
  const { binaryMediaTypes } = (await read()) as Pick<DeployedGateway, 'binaryMediaTypes'>;
  const responses = await list<{ responseType: string; statusCode: string }>('gatewayresponses');
  return {
    routes: Object.fromEntries(routes),
    binaryMediaTypes,
    stages: await list('stages'),
    responses: Object.fromEntries(responses.map(({ responseType, statusCode }) => [responseType, statusCode])),
  };
}

/** The emulator tells services apart by the scope of the signature, and reads no more of it. */
const ofApiGateway = {
  Authorization: 'AWS4-HMAC-SHA256 Credential=emulated/20260101/us-east-1/apigateway/aws4_request',
};
