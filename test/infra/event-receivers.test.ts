import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App as CdkApp, Stack } from 'aws-cdk-lib';
import { Ajv } from 'ajv';
import { afterAll, expect, it } from 'vitest';
import { assemblyDirectory } from '../../infra/local/synthesize.ts';
import { buildEventsDocument } from '../../infra/openapi/document.ts';
import { readBlock } from '../support/guides/readme.ts';

const guide = 'infra/openapi/events.md';
mkdirSync(assemblyDirectory, { recursive: true });
// The folder is in the repository, because the receivers import its packages.
const folder = mkdtempSync(join(assemblyDirectory, 'receivers-'));
afterAll(() => rmSync(folder, { recursive: true }));

it(
  'the receivers of the guide send the declarations of a tenant to a queue and to a webhook',
  { tags: 'long' },
  async () => {
    const { App } = await import('aws-cdk-lib');
    const { Template } = await import('aws-cdk-lib/assertions');
    const file = join(folder, 'receivers.ts');
    writeFileSync(file, readBlock(guide, 'Receivers', 'ts'));
    const { PortalReceivers } = (await import(file)) as { PortalReceivers: new (app: CdkApp) => Stack };
    const template = Template.fromStack(new PortalReceivers(new App()));
    const rules = Object.values(template.findResources('AWS::Events::Rule'));
    const pattern = { 'detail-type': ['InvoiceDeclared'], detail: { tenant: ['portal.example'] } };
    expect(rules.map(({ Properties }) => Properties)).toMatchObject([
      { EventBusName: 'SupplierPortalInvoices-prod', EventPattern: pattern },
      { EventBusName: 'SupplierPortalInvoices-prod', EventPattern: pattern, Targets: [{ DeadLetterConfig: {} }] },
    ]);
    template.resourceCountIs('AWS::Events::ApiDestination', 1);
  },
);

it('the event that the guide shows is valid according to the schema', () => {
  const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(buildEventsDocument());
  isValid(JSON.parse(readBlock(guide, "Events for the company's systems", 'json')));
  expect(isValid.errors).toBeNull();
});
