import { readFileSync } from 'node:fs';

/** A resource of the template; what `Properties` holds is the test's own knowledge. */
export interface TemplateResource<Properties> {
  readonly id: string;
  readonly type: string;
  /** The construct path below the stack, such as `login` or `InvoiceApi`. */
  readonly path: string;
  readonly Properties: Properties;
}

/** A synthesized template. */
export type StackTemplate = ReturnType<typeof readTemplate>;

/** Reads a template from its file. */
export function readTemplate(file: string) {
  const template = JSON.parse(readFileSync(file, 'utf8'));
  const resources = Object.entries<RawResource>(template.Resources).map(([id, resource]) => ({
    id,
    type: resource.Type,
    path: pathOf(resource),
    ...resource,
  }));
  /** The resources of a CloudFormation type. */
  const resourcesOfType = <Properties>(type: string) =>
    resources.filter((resource) => resource.type === type) as TemplateResource<Properties>[];
  return {
    parameters: template.Parameters as Readonly<Record<string, unknown>>,
    outputs: template.Outputs as Readonly<Record<string, { readonly Value: unknown }>>,
    resources: resources as readonly TemplateResource<unknown>[],
    resourcesOfType,
    /** The one resource of a type, or the one of them at a construct path. */
    theResource: <Properties>(type: string, path?: string) => {
      const found = resourcesOfType<Properties>(type).filter((one) => path === undefined || one.path === path);
      const [resource] = found;
      if (resource === undefined || found.length > 1)
        throw new Error(`${found.length} resources ${type} ${path ?? ''}`);
      return resource;
    },
  };
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
