import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { TableName } from '../routes.ts';

/** A Lambda function, with the names of its tables resolved. */
export interface FunctionDefinition {
  readonly id: string;
  readonly codeDirectory: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
}

/** A method of the REST API, its path in segments, and the function behind it. */
export interface RouteDefinition {
  readonly method: string;
  readonly segments: readonly string[];
  readonly functionId: string;
}

/** A table as the engine creates it. */
export interface TableDefinition {
  readonly input: CreateTableCommandInput;
  readonly timeToLiveAttribute: string | undefined;
}

/** An answer that the gateway itself gives. */
export interface GatewayResponse {
  readonly ResponseType: string;
  readonly StatusCode: string;
  readonly ResponseParameters: Readonly<Record<string, string>>;
  readonly ResponseTemplates: Readonly<Record<string, string>>;
}

/** What of the synthesized stack can run without AWS; a table's name is its logical id. */
export interface StackDefinition {
  readonly functions: readonly FunctionDefinition[];
  readonly routes: readonly RouteDefinition[];
  readonly tables: readonly TableDefinition[];
  readonly tableNames: Readonly<Record<TableName, string>>;
  readonly gatewayResponses: readonly GatewayResponse[];
  /** The media types of bodies that the gateway hands on in base64. */
  readonly binaryMediaTypes: readonly string[];
  /** The functions that a deployment runs once. */
  readonly triggeredFunctionIds: readonly string[];
  /** The function that rotates the signing key. */
  readonly rotationFunctionId: string;
}
