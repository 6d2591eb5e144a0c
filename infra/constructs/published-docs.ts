import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnOutput } from 'aws-cdk-lib';
import { LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { writeFiles } from '../docs/build-site.ts';
import { siteFiles } from '../docs/site-files.ts';
import type { Deployment } from '../options.ts';
import { publishedDocs } from '../routes.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

/** The address in the samples until the page, in the browser, puts its own in its place. */
const sampleUrl = 'https://portal.example';

/**
 * Publishes the reference page beside the API, whose address is `url`, so that the calls of the page are of its own
 * origin. A layer brings the files to the function that serves them.
 */
export function publishDocs(scope: Construct, api: RestApi, url: string, tables: Tables, deployment: Deployment): void {
  const files = siteFiles({ sampleUrl, settings: { baseUrl: '', demo: undefined }, servers: [{ url: '..' }] });
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  writeFiles(join(folder, 'docs'), files);
  const handler = createFunction(scope, publishedDocs, tables, deployment);
  handler.addLayers(new LayerVersion(scope, 'docs-files', { code: Code.fromAsset(folder) }));
  rmSync(folder, { recursive: true });

  const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
  for (const path of publishedDocs.paths) api.root.resourceForPath(path).addMethod('GET', integration);
  new CfnOutput(scope, 'DocsUrl', { value: `${url}docs` });
}
