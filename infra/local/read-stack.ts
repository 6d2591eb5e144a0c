import { existsSync, readFileSync } from 'node:fs';
import type { CreateTableCommandInput, StreamSpecification } from '@aws-sdk/client-dynamodb';
import { getBundleFolder } from '../config.ts';
import type { TableName } from '../routes.ts';
import { assemblyDirectory, templateFile } from './synthesize.ts';

/** The parts of the synthesized stack that run on this machine: the template describes them as AWS resources. */
export type StackDefinition = ReturnType<typeof readStack>;

/** A Lambda function, with the names of its tables resolved. */
export type FunctionDefinition = ReturnType<typeof toFunctionDefinition>;

/** A route of the API: its method, its path and the id of the function that it calls. */
export type RouteDefinition = ReturnType<typeof toRoute>;

/** Connects the stream of a table to a function, which receives the records that match one of the patterns. */
export type StreamMapping = ReturnType<typeof toStreamMapping>;

/** A table, with the input of the call that creates it, and its stream, if it has one. */
export type TableDefinition = ReturnType<typeof toTableDefinition>;

type Ref = { readonly Ref: string };

/** A reference to an attribute of another resource, such as the ARN of a function. */
type AttributeRef = { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] };

/** The properties that this file reads, by the type of the resource. */
interface PropertiesByType {
  'AWS::Lambda::Function': {
    readonly Timeout: number;
    readonly Environment?: { readonly Variables: Readonly<Record<string, string | Ref>> };
  };
  'AWS::Lambda::EventSourceMapping': {
    readonly FunctionName: Ref;
    readonly EventSourceArn: AttributeRef;
    readonly BatchSize: number;
    readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
  };
  'AWS::DynamoDB::GlobalTable': Omit<CreateTableCommandInput, 'TableName' | 'StreamSpecification'> & {
    readonly StreamSpecification?: Omit<StreamSpecification, 'StreamEnabled'>;
  };
  'AWS::ApiGateway::RestApi': { readonly BinaryMediaTypes?: readonly string[] };
  /** A segment of a path. The parent of the first segment is an attribute of the API itself. */
  'AWS::ApiGateway::Resource': { readonly PathPart: string; readonly ParentId: Ref | AttributeRef };
  'AWS::ApiGateway::Method': {
    readonly HttpMethod: string;
    readonly ResourceId: Ref;
    /** Joins `arn:<partition>:apigateway:<region>:…:`, the ARN of the function and `/invocations`. */
    readonly Integration: { readonly Uri: { readonly 'Fn::Join': readonly [string, readonly (string | object)[]] } };
  };
  /** A response that API Gateway itself returns, for example for an unknown path. */
  'AWS::ApiGateway::GatewayResponse': {
    readonly ResponseType: string;
    readonly StatusCode: string;
    readonly ResponseParameters: Readonly<Record<string, string>>;
    readonly ResponseTemplates: Readonly<Record<string, string>>;
  };
}

interface Resource<Properties> {
  readonly Type: string;
  readonly Properties: Properties;
  /** The path of the construct, such as `<stack>/login/Resource`. */
  readonly Metadata: { readonly 'aws:cdk:path': string };
}

/** Reads the parts of the synthesized template that can run without AWS. */
export function readStack() {
  const template = JSON.parse(readFileSync(templateFile, 'utf8')) as { Resources: Record<string, Resource<unknown>> };
  const resources = Object.entries(template.Resources);

  /** Lists the resources of a type. The id is unique in the template. The construct id is the name in infra/constructs. */
  function listResources<Type extends keyof PropertiesByType>(type: Type) {
    const matchingResources = resources.filter(([, resource]) => resource.Type === type);
    return matchingResources.map(([id, { Properties, Metadata }]) => {
      const [, constructId = ''] = Metadata['aws:cdk:path'].split('/');
      return { id, constructId, properties: Properties as PropertiesByType[Type] };
    });
  }

  const listProperties = <Type extends keyof PropertiesByType>(type: Type) =>
    listResources(type).map(({ properties }) => properties);
  const segments = new Map(listResources('AWS::ApiGateway::Resource').map(({ id, properties }) => [id, properties]));
  const tables = listResources('AWS::DynamoDB::GlobalTable');
  const [api] = listProperties('AWS::ApiGateway::RestApi');
  // The functions of the CDK itself, which only a deployment calls, have no bundle, and are omitted.
  const functions = listResources('AWS::Lambda::Function')
    .map(({ id, constructId, properties }) => toFunctionDefinition(id, constructId, properties))
    .filter(({ codeFolder }) => existsSync(codeFolder));
  return {
    functions,
    // Like a deployment, `npm start` calls this function once to create the first key.
    rotation: functions.find(({ name }) => name === 'rotate-signing-key')!,
    routes: listProperties('AWS::ApiGateway::Method').map((method) => toRoute(method, segments)),
    streamMappings: listProperties('AWS::Lambda::EventSourceMapping').map(toStreamMapping),
    tables: tables.map(({ id, properties }) => toTableDefinition(id, properties)),
    // The name of a local table is the id of its resource.
    tableNames: Object.fromEntries(tables.map(({ id, constructId }) => [constructId, id])) as Record<TableName, string>,
    gatewayResponses: listProperties('AWS::ApiGateway::GatewayResponse'),
    // The gateway encodes bodies of these types in Base64.
    binaryMediaTypes: api?.BinaryMediaTypes ?? [],
  };
}

function toFunctionDefinition(id: string, name: string, properties: PropertiesByType['AWS::Lambda::Function']) {
  const environment: Record<string, string> = {};
  for (const [variable, value] of Object.entries(properties.Environment?.Variables ?? {})) {
    environment[variable] = typeof value === 'string' ? value : value.Ref;
  }
  return {
    id,
    /** The name of the file in functions/, without its ending. */
    name,
    /** The folder with the deployed code and its source map. The source map is not deployed. */
    codeFolder: getBundleFolder(assemblyDirectory, name),
    environment,
    timeoutSeconds: properties.Timeout,
  };
}

type Segments = ReadonlyMap<string, PropertiesByType['AWS::ApiGateway::Resource']>;

function toRoute(method: PropertiesByType['AWS::ApiGateway::Method'], segments: Segments) {
  const [, uriParts] = method.Integration.Uri['Fn::Join'];
  const functionArn = uriParts.find((part) => typeof part === 'object' && 'Fn::GetAtt' in part) as AttributeRef;
  const path = buildPath(segments, method.ResourceId);
  return { method: method.HttpMethod, path, functionId: functionArn['Fn::GetAtt'][0] };
}

function buildPath(segments: Segments, { Ref: segmentId }: Ref): string {
  const { PathPart, ParentId } = segments.get(segmentId)!;
  const parentPath = 'Ref' in ParentId ? buildPath(segments, ParentId) : '';
  return `${parentPath}/${PathPart}`;
}

function toStreamMapping(mapping: PropertiesByType['AWS::Lambda::EventSourceMapping']) {
  return {
    functionId: mapping.FunctionName.Ref,
    table: mapping.EventSourceArn['Fn::GetAtt'][0],
    batchSize: mapping.BatchSize,
    patterns: mapping.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown),
  };
}

function toTableDefinition(TableName: string, properties: PropertiesByType['AWS::DynamoDB::GlobalTable']) {
  const { AttributeDefinitions, BillingMode, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes } = properties;
  const { StreamSpecification } = properties;
  return {
    // The input creates the table without its stream.
    input: { TableName, AttributeDefinitions, BillingMode, KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes },
    stream: StreamSpecification && { StreamEnabled: true, ...StreamSpecification },
  };
}
