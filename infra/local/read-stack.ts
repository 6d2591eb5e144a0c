import { existsSync, readFileSync } from 'node:fs';
import type { CreateTableCommandInput, StreamSpecification } from '@aws-sdk/client-dynamodb';
import { getBundleFolder } from '../config.ts';
import type { TableName } from '../routes.ts';
import { assemblyDirectory, templateFile } from './synthesize.ts';

/** The parts of the synthesized stack that can run without AWS. */
export type StackDefinition = ReturnType<typeof readStack>;

/** A Lambda function, with the names of its tables resolved. */
export interface FunctionDefinition {
  readonly id: string;
  /** The name of the file in functions/, without its ending. */
  readonly name: string;
  /** The folder with the deployed code and its source map. The source map is not deployed. */
  readonly codeFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

/** A method and a path of the API, with the function that they call. */
export type RouteDefinition = ReturnType<typeof toRoute>;

/** Connects the stream of a table to a function, which receives the records that match one of the patterns. */
export type StreamMapping = ReturnType<typeof toStreamMapping>;

export type TableDefinition = ReturnType<typeof toTableDefinition>;

type Ref = { readonly Ref: string };

/** A reference to an attribute of another resource, such as the ARN of a function. */
type AttributeRef = { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] };

/** The properties that this file reads. Each of them belongs to resources of one type. */
interface Properties extends Omit<CreateTableCommandInput, 'TableName' | 'StreamSpecification'> {
  // A function:
  readonly Timeout: number;
  readonly Environment?: { readonly Variables: Readonly<Record<string, string | Ref>> };
  // A segment of a path. The parent of the first segment is an attribute of the API itself:
  readonly PathPart: string;
  readonly ParentId: Ref | AttributeRef;
  // A method. Its URI is `arn:<partition>:apigateway:<region>:…:<ARN of the function>/invocations`:
  readonly HttpMethod: string;
  readonly ResourceId: Ref;
  readonly Integration: { readonly Uri: { readonly 'Fn::Join': readonly [string, readonly (string | object)[]] } };
  // The mapping of a stream:
  readonly FunctionName: Ref;
  readonly EventSourceArn: AttributeRef;
  readonly BatchSize: number;
  readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
  // A table:
  readonly StreamSpecification?: Omit<StreamSpecification, 'StreamEnabled'>;
  // A response that API Gateway itself returns, for example for an unknown path:
  readonly ResponseType: string;
  readonly StatusCode: string;
  readonly ResponseParameters: Readonly<Record<string, string>>;
  readonly ResponseTemplates: Readonly<Record<string, string>>;
  // The API:
  readonly BinaryMediaTypes?: readonly string[];
}

interface Resource {
  readonly Type: string;
  readonly Properties: Properties;
  readonly Metadata: { readonly 'aws:cdk:path': string };
}

type Resources = Readonly<Record<string, Resource>>;

/** Reads the parts of the synthesized template that can run without AWS. */
export function readStack() {
  const { Resources: resources } = JSON.parse(readFileSync(templateFile, 'utf8')) as { readonly Resources: Resources };
  const listResources = (type: string) => Object.entries(resources).filter(([, { Type }]) => Type === type);
  // The stack also contains functions of the CDK, which have no bundle, and which only deployments call.
  const functions = listResources('AWS::Lambda::Function')
    .map(toFunctionDefinition)
    .filter(({ codeFolder }) => existsSync(codeFolder));
  const tables = listResources('AWS::DynamoDB::GlobalTable');
  const tableNames = Object.fromEntries(tables.map(([id, table]) => [getConstructId(table), id]));
  return {
    functions,
    // A deployment calls this function once to create the first key.
    rotation: functions.find(({ name }) => name === 'rotate-signing-key')!,
    routes: listResources('AWS::ApiGateway::Method').map(([, method]) => toRoute(resources, method)),
    streamMappings: listResources('AWS::Lambda::EventSourceMapping').map(([, mapping]) => toStreamMapping(mapping)),
    tables: tables.map(toTableDefinition),
    // The logical id of each table, which is the name of the local table, by its name in the code.
    tableNames: tableNames as Readonly<Record<TableName, string>>,
    gatewayResponses: listResources('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => Properties),
    // The gateway encodes bodies of these types in Base64.
    binaryMediaTypes: listResources('AWS::ApiGateway::RestApi').flatMap(
      ([, api]) => api.Properties.BinaryMediaTypes ?? [],
    ),
  };
}

/** Returns the id of a resource's construct, such as `login` for the path `<stack>/login/Resource`. */
function getConstructId({ Metadata }: Resource): string {
  return Metadata['aws:cdk:path'].split('/')[1]!;
}

function toFunctionDefinition([id, resource]: [string, Resource]): FunctionDefinition {
  const name = getConstructId(resource);
  const { Timeout, Environment } = resource.Properties;
  const environment: Record<string, string> = {};
  for (const [variable, value] of Object.entries(Environment?.Variables ?? {})) {
    environment[variable] = typeof value === 'string' ? value : value.Ref;
  }
  return { id, name, codeFolder: getBundleFolder(assemblyDirectory, name), environment, timeoutSeconds: Timeout };
}

/** Converts a method of the API. Its URI contains the ARN of the function that the method calls. */
function toRoute(resources: Resources, { Properties: method }: Resource) {
  const [, parts] = method.Integration.Uri['Fn::Join'];
  const functionArn = parts.find((part) => typeof part === 'object' && 'Fn::GetAtt' in part) as AttributeRef;
  const path = readPath(resources, method.ResourceId);
  return { method: method.HttpMethod, path, functionId: functionArn['Fn::GetAtt'][0] };
}

function readPath(resources: Resources, { Ref: id }: Ref): string {
  const { PathPart, ParentId } = resources[id]!.Properties;
  const parentPath = 'Ref' in ParentId ? readPath(resources, ParentId) : '';
  return `${parentPath}/${PathPart}`;
}

function toStreamMapping({ Properties: mapping }: Resource) {
  return {
    functionId: mapping.FunctionName.Ref,
    table: mapping.EventSourceArn['Fn::GetAtt'][0],
    batchSize: mapping.BatchSize,
    patterns: mapping.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown),
  };
}

function toTableDefinition([id, { Properties }]: [string, Resource]) {
  const { AttributeDefinitions, BillingMode, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes } = Properties;
  const parts = { AttributeDefinitions, BillingMode, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes };
  return {
    // The input creates the table without its stream.
    input: { TableName: id, ...parts },
    stream: Properties.StreamSpecification && { StreamEnabled: true, ...Properties.StreamSpecification },
  };
}
