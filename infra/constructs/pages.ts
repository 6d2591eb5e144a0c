import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnOutput } from 'aws-cdk-lib';
import { LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Code, type Function, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { buildDeclarePageFiles } from '../declare-page/page-files.ts';
import { buildSiteFiles } from '../openapi/page/site-files.ts';
import { declarePage, type PageFunction, referencePage } from '../routes.ts';
import { type StaticFiles, writeFiles } from '../static-files.ts';

/** A page of the API, with the name of the output that contains its address. */
export interface PublishedPage extends PageFunction {
  readonly output: string;
  readonly buildFiles: () => StaticFiles;
}

/** Lists the pages that the options of a deployment publish. */
export function listPages({ docs, clerkPage }: Deployment): PublishedPage[] {
  const pages: PublishedPage[] = [];
  if (docs) pages.push({ ...referencePage, output: 'DocsUrl', buildFiles: () => buildSiteFiles() });
  if (clerkPage) pages.push({ ...declarePage, output: 'DeclarePageUrl', buildFiles: buildDeclarePageFiles });
  return pages;
}

/** Lists the path of a page and the path of its files. */
export function listPagePaths({ path }: PageFunction): string[] {
  return [path, `${path}/{file+}`];
}

/** Publishes a page at its path, so that page and API have the same origin. A layer contains the files of the page. */
export function publishPage(
  scope: Construct,
  api: RestApi,
  page: PublishedPage,
  handler: Function,
  apiUrl: string,
): void {
  const { name, path, output, buildFiles } = page;
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  writeFiles(join(folder, path), buildFiles());
  handler.addLayers(new LayerVersion(scope, `${name}-files`, { code: Code.fromAsset(folder) }));
  // The CDK has already copied the files into its output folder.
  rmSync(folder, { recursive: true });

  const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
  for (const pagePath of listPagePaths(page)) {
    api.root.resourceForPath(pagePath).addMethod('GET', integration);
  }
  new CfnOutput(scope, output, { value: apiUrl + path.slice(1), description: `The address of the page ${path}.` });
}
