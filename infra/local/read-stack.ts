import { readFileSync } from 'node:fs';
import type { CreateTableCommandInput, StreamViewType } from '@aws-sdk/client-dynamodb';
import { getBundleFolder } from '../config.ts';
import type { TableName } from '../routes.ts';
import { type Assembly, plainAssembly } from './synthesize.ts';

type Texts = Readonly<Record<string, string>>;
type Ref = Readonly<Record<'Ref', string>>;
type Attribute = Readonly<Record<'Fn::GetAtt', readonly [id: string, attribute: string]>>;

interface GatewayResponse {
  readonly ResponseType: string;
  readonly StatusCode: string;
  readonly ResponseParameters: Texts;
  readonly ResponseTemplates: Texts;
}

/** A resource of the template, with all properties that are read from any type of resource. */
interface Resource {
  readonly Type: string;
  readonly Metadata: { readonly 'aws:cdk:path': string };
  readonly Properties: GatewayResponse &
    Omit<CreateTableCommandInput, 'TableName' | 'StreamSpecification'> & {
      readonly StreamSpecification?: { readonly StreamViewType: StreamViewType };
      readonly TimeToLiveSpecification?: Readonly<Record<'AttributeName', string>>;
      readonly Handler: string;
      readonly MemorySize: number;
      readonly Timeout: number;
      readonly Environment?: { readonly Variables: Readonly<Record<string, string | Ref>> };
      readonly HttpMethod: string;
      readonly ResourceId: Ref;
      readonly Integration: { readonly Uri: { readonly 'Fn::Join': readonly [string, readonly object[]] } };
      readonly PathPart: string;
      /** The parent of the first segment is an attribute of the API itself. */
      readonly ParentId: Ref | Attribute;
      readonly BinaryMediaTypes?: readonly string[];
      readonly HandlerArn: Ref;
      readonly FunctionName: Ref;
      readonly EventSourceArn: Attribute;
      readonly BatchSize: number;
      readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
    };
}

/** The parts of the synthesized stack that can run without AWS. */
export type StackDefinition = ReturnType<typeof readStack>;

/** A Lambda function, with the names of its tables resolved. */
export type FunctionDefinition = ReturnType<typeof toFunctionDefinition>;

/** A method of the REST API with the segments of its path and its function. */
export type RouteDefinition = StackDefinition['routes'][number];

/** A function that receives the records of a table's stream that match one of the patterns. */
export type EventSource = StackDefinition['eventSources'][number];

export type TableDefinition = ReturnType<typeof toTableDefinition>;

/** Reads a synthesized template. The name of a table is its logical id. */
export function readStack({ directory, templateFile }: Assembly = plainAssembly) {
  const template = JSON.parse(readFileSync(templateFile, 'utf8')) as {
    readonly Resources: Readonly<Record<string, Resource>>;
    readonly Outputs: Readonly<Record<string, { readonly Value: Ref }>>;
  };
  const all = (type: string) => Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
  const properties = (type: string) => all(type).map(([, { Properties }]) => Properties);
  const at = ({ Ref: id }: Ref) => template.Resources[id]!.Properties;
  const segmentsTo = (id: Ref): string[] => {
    const { PathPart, ParentId } = at(id);
    return 'Ref' in ParentId ? [...segmentsTo(ParentId), PathPart] : [PathPart];
  };
  const tables = Object.entries(template.Outputs).filter(([name]) => name.endsWith('Table'));
  return {
    functions: all('AWS::Lambda::Function').map((entry) => toFunctionDefinition(directory, entry)),
    routes: properties('AWS::ApiGateway::Method').map(({ HttpMethod: method, ResourceId, Integration }) => {
      const uri = Integration.Uri['Fn::Join'][1] as readonly Partial<Attribute>[];
      const functionId = uri.flatMap(({ 'Fn::GetAtt': attribute }) => attribute?.[0] ?? [])[0]!;
      return { method, segments: segmentsTo(ResourceId), functionId };
    }),
    eventSources: properties('AWS::Lambda::EventSourceMapping').map((mapping) => ({
      functionId: mapping.FunctionName.Ref,
      table: mapping.EventSourceArn['Fn::GetAtt'][0],
      batchSize: mapping.BatchSize,
      patterns: mapping.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown),
    })),
    tables: all('AWS::DynamoDB::Table').map(toTableDefinition),
    tableNames: Object.fromEntries(
      tables.map(([name, { Value }]) => [name.slice(0, -'Table'.length), Value.Ref]),
    ) as Record<TableName, string>,
    gatewayResponses: properties('AWS::ApiGateway::GatewayResponse') as GatewayResponse[],
    /** The media types of bodies that the gateway passes on in base64. */
    binaryMediaTypes: properties('AWS::ApiGateway::RestApi').flatMap((api) => api.BinaryMediaTypes ?? []),
    /** The functions that a deployment runs once. */
    triggeredFunctionIds: properties('Custom::Trigger').map(({ HandlerArn }) => at(HandlerArn).FunctionName.Ref),
    rotationFunctionId: template.Outputs['RotationFunction']!.Value.Ref,
  };
}

function toFunctionDefinition(directory: string, [id, { Properties, Metadata }]: [string, Resource]) {
  const variables = Object.entries(Properties.Environment?.Variables ?? {});
  // The construct below the stack has the name of the file in functions/.
  const name = Metadata['aws:cdk:path'].split('/')[1]!;
  return {
    id,
    name,
    // The deployed code with its source map, which is not deployed.
    codeDirectory: getBundleFolder(directory, name),
    handler: Properties.Handler,
    environment: Object.fromEntries(
      variables.map(([variable, value]) => [variable, typeof value === 'string' ? value : value.Ref]),
    ),
    memoryMegabytes: Properties.MemorySize,
    timeoutSeconds: Properties.Timeout,
  };
}

function toTableDefinition([id, { Properties }]: [string, Resource]) {
  const { AttributeDefinitions, BillingMode, KeySchema, TimeToLiveSpecification } = Properties;
  const { GlobalSecondaryIndexes, StreamSpecification: stream } = Properties;
  const input: CreateTableCommandInput = {
    ...{ TableName: id, BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes },
    ...(stream && { StreamSpecification: { StreamEnabled: true, ...stream } }),
  };
  return { input, timeToLiveAttribute: TimeToLiveSpecification?.AttributeName };
}
