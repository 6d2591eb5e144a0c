import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import { contractDocs, routes, signingKeyRotation } from '../../infra/routes.ts';
import { getVariant } from '../support/stack/stack-variants.ts';

interface FunctionProperties {
  readonly Timeout: number;
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

const { getResource } = await getVariant({ stage: 'dev' });
const checkPasswords = ['login', 'legacy-dispatch'];
const { functions, triggeredFunctionIds } = readStack();

describe.each([...routes, signingKeyRotation])('function $name', ({ name, tables }) => {
  const { id, Properties } = getResource<FunctionProperties>('AWS::Lambda::Function', name);

  it('is traced, ends before the gateway gives up, and logs to a group of its own that forgets', () => {
    const logs = getResource('AWS::Logs::LogGroup', `${name}-logs`);
    expect(logs.Properties).toMatchObject({ RetentionInDays: 7 });
    expect(Properties).toMatchObject({
      ...{ Runtime: 'nodejs24.x', Architectures: ['arm64'], TracingConfig: { Mode: 'Active' } },
      ...{ MemorySize: checkPasswords.includes(name) ? 1769 : 1024, LoggingConfig: { LogGroup: { Ref: logs.id } } },
    });
    expect(Properties.Timeout).toBeLessThan(29);
  });

  it('knows the tables that it is granted and no others, and nothing that looks like a secret', () => {
    const granted = [...new Set(Object.keys(tables).map((area) => area.replace(/\/.*/, '')))];
    const variables = granted.map((table) => `${table.replace(/(.)([A-Z])/, '$1_$2').toUpperCase()}_TABLE`);
    const known = Object.entries(Properties.Environment.Variables);
    expect(known.map(([variable]) => variable).filter((variable) => variable.endsWith('_TABLE'))).toEqual(variables);
    const suspicious = /secret|password|private|credential|api_?key|BEGIN |[\w-]{30,}/i;
    const plain = known.filter(([, value]) => typeof value === 'string').map((each) => each.join(' '));
    expect(plain.filter((each) => suspicious.test(each))).toEqual([]);
  });

  it('has a bundle under 300 KB, without common passwords, which only the command line has, and without texts of documents', () => {
    const { codeDirectory = '' } = functions.find((candidate) => candidate.id === id) ?? {};
    const bundle = readFileSync(join(codeDirectory, 'index.js'));
    expect(bundle.length).toBeLessThan(300 * 1024);
    expect(bundle.toString()).not.toMatch(/zxcvbn|trustno1/);
    const texts = Object.values(contractDocs).flatMap(({ summary, description }) => [summary.es, description.es]);
    expect(texts.filter((text) => bundle.includes(text))).toEqual([]);
  });
});

it('the rotation makes sure of a key after a deployment, and replaces it every 30 days', () => {
  const rotation = getResource('AWS::Lambda::Function', 'rotate-signing-key');
  expect(triggeredFunctionIds).toEqual([rotation.id]);
  expect(getResource('AWS::Events::Rule').Properties).toMatchObject({
    ...{ ScheduleExpression: 'rate(30 days)', State: 'ENABLED' },
    Targets: [{ Arn: { 'Fn::GetAtt': [rotation.id, 'Arn'] }, Input: '{"rotate":true}' }],
  });
});
