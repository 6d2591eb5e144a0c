import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import { routes, signingKeyRotation } from '../../infra/routes.ts';
import { theResource } from '../support/stack/stack-template.ts';

interface FunctionProperties {
  readonly Timeout: number;
  readonly LoggingConfig: { readonly LogGroup: { readonly Ref: string } };
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

const checkPasswords = ['login', 'legacy-dispatch'];
const ofPowertools = ['SERVICE_NAME', 'METRICS_NAMESPACE', 'LOG_LEVEL'].map((name) => `POWERTOOLS_${name}`);
const settings = ['TOKEN_ISSUER', 'TOKEN_AUDIENCE', ...ofPowertools];

function bundleOf(id: string): string {
  const definition = readStack().functions.find((candidate) => candidate.id === id);
  return join(definition?.codeDirectory ?? '', 'index.js');
}

describe.each([...routes, signingKeyRotation])('function $name', ({ name, tables }) => {
  const { id, Properties } = theResource<FunctionProperties>('AWS::Lambda::Function', name);

  it('runs on Node 24, on arm64, traced, and ends before the gateway gives up', () => {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      MemorySize: checkPasswords.includes(name) ? 1769 : 1024,
    });
    expect(Properties.Timeout).toBeLessThan(29);
  });

  it('knows the settings and the tables it is granted, and nothing that looks like a secret', () => {
    const granted = [...new Set(Object.keys(tables).map((area) => area.replace(/\/.*/, '')))];
    const variables = granted.map((table) => `${table.replace(/(.)([A-Z])/, '$1_$2').toUpperCase()}_TABLE`);
    expect(Object.keys(Properties.Environment.Variables).toSorted()).toEqual([...settings, ...variables].toSorted());
    const suspicious = /secret|password|private|credential|api_?key|BEGIN |[\w-]{30,}/i;
    const plain = Object.entries(Properties.Environment.Variables).filter(([, value]) => typeof value === 'string');
    expect(plain.filter(([variable, value]) => suspicious.test(`${variable} ${String(value)}`))).toEqual([]);
  });

  it('logs to a group of its own that forgets', () => {
    const group = theResource('AWS::Logs::LogGroup', `${name}-logs`);
    expect(Properties.LoggingConfig.LogGroup.Ref).toBe(group.id);
    expect(group.Properties).toMatchObject({ RetentionInDays: 7 });
  });

  it('has a bundle under 300 KB, without the list of common passwords, which only the command line has', () => {
    const bundle = readFileSync(bundleOf(id));
    expect(bundle.length).toBeLessThan(300 * 1024);
    expect(bundle.toString()).not.toMatch(/zxcvbn|trustno1/);
  });
});

it('the rotation makes sure of a key after a deployment, and replaces it every 30 days', () => {
  const rotation = theResource('AWS::Lambda::Function', 'rotate-signing-key');
  expect(readStack().triggeredFunctionIds).toEqual([rotation.id]);
  expect(theResource('AWS::Events::Rule').Properties).toMatchObject({
    ...{ ScheduleExpression: 'rate(30 days)', State: 'ENABLED' },
    Targets: [{ Arn: { 'Fn::GetAtt': [rotation.id, 'Arn'] }, Input: '{"rotate":true}' }],
  });
});
