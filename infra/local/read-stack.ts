import { readFileSync } from 'node:fs';
import type { CreateTableCommandInput, StreamViewType } from '@aws-sdk/client-dynamodb';
import { getBundleFolder } from '../config.ts';
import type { TableName } from '../routes.ts';
import { type Assembly, plainAssembly } from './synthesize.ts';

/** A reference to another resource of the template, by its logical id. */
type Ref = { readonly Ref: string };

/** A reference to an attribute of another resource, such as the ARN of a function. */
type AttributeRef = { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] };

/** A response that API Gateway itself returns, for example for an unknown path. */
interface GatewayResponse {
  readonly ResponseType: string;
  readonly StatusCode: string;
  readonly ResponseParameters: Readonly<Record<string, string>>;
  readonly ResponseTemplates: Readonly<Record<string, string>>;
}

/** The properties that are read from each type of resource. */
interface ResourceProperties {
  readonly 'AWS::ApiGateway::RestApi': { readonly BinaryMediaTypes?: readonly string[] };
  /** A segment of a path. The parent of the first segment is an attribute of the API itself. */
  readonly 'AWS::ApiGateway::Resource': { readonly PathPart: string; readonly ParentId: Ref | AttributeRef };
  readonly 'AWS::ApiGateway::Method': {
    readonly HttpMethod: string;
    readonly ResourceId: Ref;
    readonly Integration: { readonly Uri: { readonly 'Fn::Join': readonly [string, readonly (string | object)[]] } };
  };
  readonly 'AWS::ApiGateway::GatewayResponse': GatewayResponse;
  readonly 'AWS::DynamoDB::GlobalTable': Omit<CreateTableCommandInput, 'TableName' | 'StreamSpecification'> & {
    readonly StreamSpecification?: { readonly StreamViewType: StreamViewType };
    readonly TimeToLiveSpecification?: { readonly AttributeName: string };
  };
  readonly 'AWS::Lambda::Function': {
    readonly Handler: string;
    readonly MemorySize: number;
    readonly Timeout: number;
    readonly Environment?: { readonly Variables: Readonly<Record<string, string | Ref>> };
  };
  readonly 'AWS::Lambda::EventSourceMapping': {
    readonly FunctionName: Ref;
    readonly EventSourceArn: AttributeRef;
    readonly BatchSize: number;
    readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
  };
}

type ResourceType = keyof ResourceProperties;

interface Resource<Type extends ResourceType> {
  readonly Type: Type;
  readonly Properties: ResourceProperties[Type];
  readonly Metadata: { readonly 'aws:cdk:path': string };
}

interface Template {
  readonly Resources: Readonly<Record<string, Resource<ResourceType>>>;
}

/** The parts of the synthesized stack that can run without AWS. */
export interface StackDefinition {
  readonly functions: readonly FunctionDefinition[];
  /** The function that rotates the signing key. A deployment calls it once to create the first key. */
  readonly rotation: FunctionDefinition;
  readonly routes: readonly RouteDefinition[];
  readonly streamMappings: readonly StreamMapping[];
  readonly tables: readonly TableDefinition[];
  /** The logical id of each table, which is the name of the local table, by its name in the code. */
  readonly tableNames: Readonly<Record<TableName, string>>;
  readonly gatewayResponses: readonly GatewayResponse[];
  /** The media types of the bodies that the gateway encodes in Base64. */
  readonly binaryMediaTypes: readonly string[];
}

/** A Lambda function, with the names of its tables resolved. */
export interface FunctionDefinition {
  readonly id: string;
  /** The name of the file in functions/, without its ending. */
  readonly name: string;
  /** The folder with the deployed code and its source map. The source map is not deployed. */
  readonly codeFolder: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

export interface RouteDefinition {
  readonly method: string;
  /** The segments of the path, such as `['invoices', '{id}']`. */
  readonly segments: readonly string[];
  readonly functionId: string;
}

/** Connects the stream of a table to a function, which receives the records that match one of the patterns. */
export interface StreamMapping {
  readonly functionId: string;
  readonly table: string;
  readonly batchSize: number;
  readonly patterns: readonly unknown[];
}

export interface TableDefinition {
  readonly input: CreateTableCommandInput;
  readonly timeToLiveAttribute: string | undefined;
}

/** Reads the parts of a synthesized template that can run without AWS. */
export function readStack({ directory, templateFile }: Assembly = plainAssembly): StackDefinition {
  const template = JSON.parse(readFileSync(templateFile, 'utf8')) as Template;
  const listProperties = <Type extends ResourceType>(type: Type) =>
    listResources(template, type).map(([, { Properties }]) => Properties);
  const functions = listResources(template, 'AWS::Lambda::Function').map((entry) =>
    toFunctionDefinition(directory, entry),
  );
  const tables = listResources(template, 'AWS::DynamoDB::GlobalTable');
  const tableNames = Object.fromEntries(tables.map(([id, table]) => [getConstructId(table), id]));
  return {
    functions,
    routes: listProperties('AWS::ApiGateway::Method').map((method) => toRoute(template, method)),
    streamMappings: listProperties('AWS::Lambda::EventSourceMapping').map(toStreamMapping),
    tables: tables.map(toTableDefinition),
    tableNames: tableNames as Record<TableName, string>,
    gatewayResponses: listProperties('AWS::ApiGateway::GatewayResponse'),
    binaryMediaTypes: listProperties('AWS::ApiGateway::RestApi').flatMap((api) => api.BinaryMediaTypes ?? []),
    rotation: functions.find(({ name }) => name === 'rotate-signing-key')!,
  };
}

/** Returns all resources of a type with their logical ids. */
function listResources<Type extends ResourceType>({ Resources }: Template, type: Type): [string, Resource<Type>][] {
  return Object.entries(Resources).filter((entry): entry is [string, Resource<Type>] => entry[1].Type === type);
}

/** Returns the id of a resource's construct, such as `login` for the path `<stack>/login/Resource`. */
function getConstructId({ Metadata }: Resource<ResourceType>): string {
  return Metadata['aws:cdk:path'].split('/')[1]!;
}

function toFunctionDefinition(
  directory: string,
  [id, resource]: [string, Resource<'AWS::Lambda::Function'>],
): FunctionDefinition {
  const name = getConstructId(resource);
  const { Handler: handler, MemorySize, Timeout, Environment } = resource.Properties;
  const environment: Record<string, string> = {};
  for (const [variable, value] of Object.entries(Environment?.Variables ?? {})) {
    environment[variable] = typeof value === 'string' ? value : value.Ref;
  }
  return {
    id,
    name,
    codeFolder: getBundleFolder(directory, name),
    handler,
    environment,
    memoryMegabytes: MemorySize,
    timeoutSeconds: Timeout,
  };
}

function toRoute(template: Template, method: ResourceProperties['AWS::ApiGateway::Method']): RouteDefinition {
  // The URI is `arn:<partition>:apigateway:<region>:…:<ARN of the function>/invocations`.
  const [, parts] = method.Integration.Uri['Fn::Join'];
  const functionArn = parts.find((part) => typeof part === 'object' && 'Fn::GetAtt' in part) as AttributeRef;
  return {
    method: method.HttpMethod,
    segments: readSegments(template, method.ResourceId),
    functionId: functionArn['Fn::GetAtt'][0],
  };
}

/** Returns the segments of an API resource's path, from the first to the last. */
function readSegments(template: Template, { Ref: id }: Ref): string[] {
  const resource = template.Resources[id] as Resource<'AWS::ApiGateway::Resource'>;
  const { PathPart, ParentId } = resource.Properties;
  return 'Ref' in ParentId ? [...readSegments(template, ParentId), PathPart] : [PathPart];
}

function toStreamMapping(mapping: ResourceProperties['AWS::Lambda::EventSourceMapping']): StreamMapping {
  return {
    functionId: mapping.FunctionName.Ref,
    table: mapping.EventSourceArn['Fn::GetAtt'][0],
    batchSize: mapping.BatchSize,
    patterns: mapping.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown),
  };
}

function toTableDefinition([id, { Properties }]: [string, Resource<'AWS::DynamoDB::GlobalTable'>]): TableDefinition {
  const { TimeToLiveSpecification, StreamSpecification: stream } = Properties;
  const { AttributeDefinitions, BillingMode, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes } = Properties;
  return {
    input: {
      TableName: id,
      BillingMode,
      AttributeDefinitions,
      KeySchema,
      GlobalSecondaryIndexes,
      LocalSecondaryIndexes,
      ...(stream && { StreamSpecification: { StreamEnabled: true, ...stream } }),
    },
    timeToLiveAttribute: TimeToLiveSpecification?.AttributeName,
  };
}
