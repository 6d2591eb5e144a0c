import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { validatorSource } from '../../../infra/validator-source.ts';
import { contracts } from '../../../infra/routes.ts';
import type { Contract, JsonSchema } from '../../../lib/contracts/contract.ts';

interface FaultySchema {
  readonly fault: string;
  readonly schema: JsonSchema;
}

const VALIDATORS = fileURLToPath(new URL('../../../lib/contracts/validators.generated.js', import.meta.url));
const LIMITS = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'exclusiveMaximum']);
const OTHER_CHECKS = new Set(['pattern', 'format', 'enum', 'type']);
const LISTS = new Set(['required', 'enum', 'type']);

/** A schema with one fault, for each of its keywords: moved by one, without one of its values, or left out. */
function faultySchemas(schema: JsonSchema): FaultySchema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const put = (change: string, replacement: unknown) => ({
      fault: keyword + change,
      schema: { ...schema, [keyword]: replacement },
    });
    if (LIMITS.has(keyword)) return [-1, 1].map((by) => put(` ${by > 0 ? '+' : '-'} 1`, Number(value) + by));
    const leftOut = OTHER_CHECKS.has(keyword) ? [put(' left out', undefined)] : [];
    if (Array.isArray(value) && LISTS.has(keyword)) {
      const shortened = value.map((entry) =>
        put(
          ` without ${entry}`,
          value.filter((each) => each !== entry),
        ),
      );
      return [...leftOut, ...shortened];
    }
    if (typeof value !== 'object' || value === null) return leftOut;
    const inside = faultySchemas(value as JsonSchema).map(({ fault, schema: inner }) => put(`/${fault}`, inner));
    return [...leftOut, ...inside];
  });
}

/**
 * Tries every fault in the schemas of requests with the tests of the contracts; says how many there are, and which
 * were not noticed.
 */
export async function trySchemaFaults(): Promise<{ all: number; survived: string[] }> {
  let source = validatorSource(contracts);
  const faultyValidators = {
    name: 'faulty-validators',
    enforce: 'pre' as const,
    load: (id: string) => (id === VALIDATORS ? source : undefined),
  };
  // A cache of modules would know the file, and not that the plugin gives another source each time.
  const options = { watch: false, bail: 1, maxWorkers: 1, pool: 'threads', reporters: [{}], fsModuleCache: false };
  const vitest = await createVitest(
    'test',
    { config: 'test/lab/mutants/vitest.config.ts', ...options },
    { plugins: [faultyValidators] },
  );
  async function isNoticed(): Promise<boolean> {
    vitest.state.filesMap.clear();
    vitest.invalidateFile(VALIDATORS);
    const { testModules } = await vitest.start(['test/unit/contracts/']);
    return testModules.some((each) => !each.ok());
  }

  // A run with failed tests sets the exit code of the process; here the failures are wanted.
  const { exitCode } = process;
  try {
    if (await isNoticed()) throw new Error('Tests fail without any fault.');
    const faults = (contracts as readonly Contract[]).flatMap((contract) =>
      faultySchemas(contract.requestAsWhole ?? contract.request).map(({ fault, schema }) => ({
        contract,
        fault,
        schema,
      })),
    );
    const survived: string[] = [];
    for (const { contract, fault, schema } of faults) {
      const faulty = contracts.map((each) => (each === contract ? { ...each, requestAsWhole: schema } : each));
      source = validatorSource(faulty, { strict: false });
      if (!(await isNoticed())) survived.push(`${contract.name}: ${fault}`);
    }
    return { all: faults.length, survived };
  } finally {
    await vitest.close();
    process.exitCode = exitCode;
  }
}
