import { join } from 'node:path';
import { engineEnvironment } from '../../../../infra/local/engine-client.ts';
import { readStack } from '../../../../infra/local/read-stack.ts';
import { synthesize } from '../../../../infra/local/synthesize.ts';
import { routes, signingKeyRotation, type ContractName } from '../../../../infra/routes.ts';
import type { Bundle } from '../processes/cold.ts';
import { startWarm, type WarmProcess } from '../processes/warm.ts';

/** The name of a function of the service. */
export type FunctionName = ContractName | 'rotate-signing-key';

/** The names of all functions of the service. */
export const functionNames = [...routes, signingKeyRotation].map(({ name }) => name as FunctionName);

/** The bundles that would be deployed, by function, each with the environment that the template gives it. */
export async function serviceBundles(): Promise<Readonly<Record<FunctionName, Bundle>>> {
  await synthesize({ quiet: false });
  const { functions } = readStack();
  const bundles = functionNames.map((name) => {
    const found = functions.find(({ id }) => id.startsWith(name.replaceAll('-', '')));
    if (!found) throw new Error(`The stack has no function ${name}.`);
    const [file] = found.handler.split('.');
    return [name, { file: join(found.codeDirectory, `${file}.js`), environment: found.environment }] as const;
  });
  return Object.fromEntries(bundles) as Record<FunctionName, Bundle>;
}

/** Lets a new process of a function do some work, on an engine or a door to it. */
export async function inNewProcess<Result>(
  name: FunctionName,
  endpoint: string,
  work: (process: WarmProcess) => Promise<Result>,
): Promise<Result> {
  const { file, environment } = (await serviceBundles())[name];
  const process = await startWarm({ file, environment: { ...environment, ...engineEnvironment(endpoint) } });
  try {
    return await work(process);
  } finally {
    await process.close();
  }
}
