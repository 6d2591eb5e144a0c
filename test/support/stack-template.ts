import { readFileSync } from 'node:fs';
import { templateFile } from '../../infra/local/synthesize.ts';

/** A resource of the template; what `Properties` holds is the test's own knowledge. */
export interface TemplateResource<Properties> {
  readonly id: string;
  readonly type: string;
  /** The construct path below the stack, such as `login` or `InvoiceApi`. */
  readonly path: string;
  readonly Properties: Properties;
}

const template = JSON.parse(readFileSync(templateFile, 'utf8'));

/** The outputs of the synthesized template. */
export const outputs: Readonly<Record<string, { readonly Value: unknown }>> = template.Outputs;

/** Every resource of the synthesized template. */
export const resources: readonly TemplateResource<unknown>[] = Object.entries<RawResource>(template.Resources).map(
  ([id, resource]) => ({ id, type: resource.Type, path: pathOf(resource), ...resource }),
);

/** The resources of a CloudFormation type. */
export function resourcesOfType<Properties>(type: string): TemplateResource<Properties>[] {
  return resources.filter((resource) => resource.type === type) as TemplateResource<Properties>[];
}

/** The one resource of a type, or the one of them at a construct path. */
export function theResource<Properties>(type: string, path?: string): TemplateResource<Properties> {
  const found = resourcesOfType<Properties>(type).filter((resource) => path === undefined || resource.path === path);
  const [resource] = found;
  if (resource === undefined || found.length > 1) throw new Error(`${found.length} resources ${type} ${path ?? ''}`);
  return resource;
}

interface RawResource {
  readonly Type: string;
  readonly Properties: unknown;
  readonly Metadata?: Readonly<Record<string, string>>;
}

function pathOf({ Metadata }: RawResource): string {
  const segments = (Metadata?.['aws:cdk:path'] ?? '').split('/').slice(1);
  return segments.join('/').replace(/\/Resource$/, '');
}
