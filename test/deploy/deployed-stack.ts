import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Cloud } from './cloud.ts';

/** A stack that is deployed in the account. */
export type DeployedStack = Awaited<ReturnType<typeof readDeployedStack>>;

export async function readDeployedStack({ client }: Cloud, stackName: string) {
  const cloudFormation = new CloudFormationClient(client);
  const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
  // The physical ids by logical id.
  const resources = new Map<string, string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client: cloudFormation },
    { StackName: stackName },
  )) {
    for (const { LogicalResourceId, PhysicalResourceId } of StackResourceSummaries) {
      resources.set(LogicalResourceId!, PhysicalResourceId!);
    }
  }
  const lambda = new LambdaClient(client);
  return {
    status: stack?.StackStatus,
    outputs: Object.fromEntries((stack?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])),
    /** Invokes the function with this logical id. Throws if the function fails. */
    async invoke(functionId: string, event: object): Promise<unknown> {
      const request = new InvokeCommand({ FunctionName: resources.get(functionId), Payload: JSON.stringify(event) });
      const { FunctionError, Payload } = await lambda.send(request);
      const result = Payload!.transformToString();
      if (FunctionError) throw new Error(`${functionId} failed: ${result}`);
      return JSON.parse(result);
    },
  };
}

/** Lists the names of all tables of the account. */
export async function listTableNames({ client }: Cloud): Promise<string[]> {
  const { TableNames = [] } = await new DynamoDBClient(client).send(new ListTablesCommand());
  return TableNames;
}
