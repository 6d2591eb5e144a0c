import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnOutput } from 'aws-cdk-lib';
import { LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { writeFiles } from '../openapi/page/build-site.ts';
import { siteFiles } from '../openapi/page/site-files.ts';
import type { Deployment } from '../options.ts';
import { publishedDocs } from '../routes.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

/**
 * Publishes the reference page at the address `url` of the API, so that both have the same origin. A layer contains the
 * files that the function serves.
 */
export function publishDocs(scope: Construct, api: RestApi, url: string, tables: Tables, deployment: Deployment): void {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  writeFiles(join(folder, 'docs'), siteFiles({ apiUrl: '..' }));
  const handler = createFunction(scope, publishedDocs, tables, deployment);
  handler.addLayers(new LayerVersion(scope, 'docs-files', { code: Code.fromAsset(folder) }));
  rmSync(folder, { recursive: true });

  const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
  for (const path of publishedDocs.paths) api.root.resourceForPath(path).addMethod('GET', integration);
  new CfnOutput(scope, 'DocsUrl', { value: `${url}docs` });
}
