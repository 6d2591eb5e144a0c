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
  readonly output: 'DocsUrl' | 'DeclarePageUrl';
  readonly buildFiles: () => StaticFiles;
}

/** Lists the pages that the options of a deployment publish. */
export function listPages({ docs, clerkPage }: Deployment): PublishedPage[] {
  const pages: PublishedPage[] = [];
  if (docs) pages.push({ ...referencePage, output: 'DocsUrl', buildFiles: () => buildSiteFiles() });
  if (clerkPage) pages.push({ ...declarePage, output: 'DeclarePageUrl', buildFiles: buildDeclarePageFiles });
  return pages;
}

/** Lists the routes of a page, as routes.ts lists those of the endpoints: its path, and the paths of all its files. */
export function listPageRoutes({ name, path }: PageFunction) {
  return [path, `${path}/{file+}`].map((routePath) => ({ name, method: 'GET', path: routePath }));
}

/** Publishes a page below the address of the API, to have the same origin. A layer of its function contains its files. */
export function publishPage(scope: Construct, api: RestApi, page: PublishedPage, handler: Function, url: string): void {
  const { name, path, output, buildFiles } = page;
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  writeFiles(join(folder, path), buildFiles());
  handler.addLayers(new LayerVersion(scope, `${name}-files`, { code: Code.fromAsset(folder) }));
  // `Code.fromAsset` has already copied the files into the output folder of the CDK.
  rmSync(folder, { recursive: true });

  const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
  for (const route of listPageRoutes(page)) api.root.resourceForPath(route.path).addMethod(route.method, integration);
  new CfnOutput(scope, output, { value: url + path.slice(1), description: `The address of the page ${path}.` });
}
