import { relative, resolve } from 'node:path';

/** A template, as far as this module looks into it. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Metadata?: unknown;
}

interface FunctionResource extends Resource {
  readonly Properties: { readonly Environment?: { readonly Variables: object } };
  readonly Metadata: { readonly 'aws:asset:path': string };
}

const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'arm64' };

/**
 * The synthesized template for a folder of its own. The functions are for this machine, which need not have the
 * processor of the deployment, and declare the variables, because SAM's env file sets none that the template does not
 * declare.
 */
export function samTemplate(
  template: Template,
  variables: readonly string[],
  directories: { readonly assembly: string; readonly folder: string },
): Template {
  const Architectures = [architectures[process.arch] ?? process.arch];
  const declared = Object.fromEntries(variables.map((name) => [name, '']));

  const adaptFunction = ({ Properties, Metadata, ...rest }: FunctionResource) => ({
    ...rest,
    Properties: {
      ...Properties,
      Architectures,
      Environment: { Variables: { ...Properties.Environment?.Variables, ...declared } },
    },
    Metadata: {
      ...Metadata,
      'aws:asset:path': relative(directories.folder, resolve(directories.assembly, Metadata['aws:asset:path'])),
    },
  });
  // SAM takes every construct path for that of a function, and prints a line for each that is not.
  const adaptOther = (resource: Resource): Resource => ({ ...resource, Metadata: undefined });

  const resources = Object.entries(template.Resources).map(([id, resource]) => [
    id,
    resource.Type === 'AWS::Lambda::Function' ? adaptFunction(resource as FunctionResource) : adaptOther(resource),
  ]);
  return { ...template, Resources: Object.fromEntries(resources) };
}
