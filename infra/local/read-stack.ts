import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { TableName } from '../routes.ts';
import type {
  FunctionDefinition,
  GatewayResponse,
  RouteDefinition,
  StackDefinition,
  TableDefinition,
} from './stack-definition.ts';
import { assemblyDirectory, templateFile } from './synthesize.ts';

type Ref = { readonly Ref: string };
type Attribute = { readonly 'Fn::GetAtt': readonly [string, string] };
type Resources = Readonly<Record<string, { readonly Type: string }>>;

/** Reads the synthesized template. */
export function readStack(): StackDefinition {
  const { Resources: resources, Outputs: outputs } = JSON.parse(readFileSync(templateFile, 'utf8'));
  return {
    functions: ofType<FunctionResource>(resources, 'AWS::Lambda::Function').map(functionDefinition),
    routes: ofType<MethodResource>(resources, 'AWS::ApiGateway::Method').map(([, method]) => route(resources, method)),
    tables: ofType<TableResource>(resources, 'AWS::DynamoDB::Table').map(tableDefinition),
    tableNames: tableNamesOf(outputs),
    gatewayResponses: ofType<{ Properties: GatewayResponse }>(resources, 'AWS::ApiGateway::GatewayResponse').map(
      ([, { Properties }]) => Properties,
    ),
    binaryMediaTypes: ofType<RestApiResource>(resources, 'AWS::ApiGateway::RestApi').flatMap(
      ([, { Properties }]) => Properties.BinaryMediaTypes ?? [],
    ),
    triggeredFunctionIds: ofType<TriggerResource>(resources, 'Custom::Trigger').map(
      ([, { Properties }]) => (at(resources, Properties.HandlerArn) as VersionResource).Properties.FunctionName.Ref,
    ),
    rotationFunctionId: outputs.RotationFunction.Value.Ref,
  };
}

function ofType<Resource>(resources: Resources, type: string): [id: string, resource: Resource][] {
  return Object.entries(resources).filter(([, { Type }]) => Type === type) as [string, never][];
}

function at(resources: Resources, { Ref }: Ref): unknown {
  const resource = resources[Ref];
  if (resource === undefined) throw new Error(`The template has no resource ${Ref}.`);
  return resource;
}

interface FunctionResource {
  readonly Properties: {
    readonly Handler: string;
    readonly MemorySize: number;
    readonly Timeout: number;
    readonly Environment?: { readonly Variables: Readonly<Record<string, string | Ref>> };
  };
  readonly Metadata: { readonly 'aws:asset:path': string };
}

function functionDefinition([id, { Properties, Metadata }]: [string, FunctionResource]): FunctionDefinition {
  const variables = Object.entries(Properties.Environment?.Variables ?? {});
  return {
    id,
    codeDirectory: join(assemblyDirectory, Metadata['aws:asset:path']),
    handler: Properties.Handler,
    environment: Object.fromEntries(
      variables.map(([name, value]) => [name, typeof value === 'string' ? value : value.Ref]),
    ),
    memoryMegabytes: Properties.MemorySize,
    timeoutSeconds: Properties.Timeout,
  };
}

interface RestApiResource {
  readonly Properties: { readonly BinaryMediaTypes?: readonly string[] };
}

interface MethodResource {
  readonly Properties: {
    readonly HttpMethod: string;
    readonly ResourceId: Ref;
    readonly Integration: {
      readonly Uri: { readonly 'Fn::Join': readonly [string, readonly (string | Ref | Attribute)[]] };
    };
  };
}

function route(resources: Resources, { Properties }: MethodResource): RouteDefinition {
  const uri = Properties.Integration.Uri['Fn::Join'][1];
  const [functionId = ''] = uri.flatMap((part) =>
    typeof part === 'object' && 'Fn::GetAtt' in part ? part['Fn::GetAtt'][0] : [],
  );
  return { method: Properties.HttpMethod, segments: segmentsTo(resources, Properties.ResourceId), functionId };
}

interface PathResource {
  /** The parent of the first segment is an attribute of the API itself. */
  readonly Properties: { readonly PathPart: string; readonly ParentId: Ref | Attribute };
}

function segmentsTo(resources: Resources, id: Ref): string[] {
  const { PathPart, ParentId } = (at(resources, id) as PathResource).Properties;
  return 'Ref' in ParentId ? [...segmentsTo(resources, ParentId), PathPart] : [PathPart];
}

interface TableResource {
  readonly Properties: Omit<CreateTableCommandInput, 'TableName'> & {
    readonly TimeToLiveSpecification?: { readonly AttributeName: string };
  };
}

/** What the engine needs to make a table of the template. */
export function tableDefinition([id, { Properties }]: [string, TableResource]): TableDefinition {
  const { AttributeDefinitions, BillingMode, KeySchema, TimeToLiveSpecification } = Properties;
  const { GlobalSecondaryIndexes, LocalSecondaryIndexes } = Properties;
  return {
    input: {
      ...{ TableName: id, BillingMode, AttributeDefinitions, KeySchema },
      ...{ GlobalSecondaryIndexes, LocalSecondaryIndexes },
    },
    timeToLiveAttribute: TimeToLiveSpecification?.AttributeName,
  };
}

interface TriggerResource {
  readonly Properties: { readonly HandlerArn: Ref };
}

interface VersionResource {
  readonly Properties: { readonly FunctionName: Ref };
}

/** From the outputs `<TableName>Table`. */
function tableNamesOf(outputs: Readonly<Record<string, { readonly Value: Ref }>>): Record<TableName, string> {
  const tables = Object.entries(outputs).filter(([name]) => name.endsWith('Table'));
  const entries = tables.map(([name, { Value }]) => [name.slice(0, -'Table'.length), Value.Ref]);
  return Object.fromEntries(entries) as Record<TableName, string>;
}
