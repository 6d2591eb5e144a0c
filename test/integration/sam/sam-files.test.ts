import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeSamFiles } from '../../../infra/local/sam/sam-files.ts';
import { templateFile } from '../../../infra/local/synthesize.ts';
import { runScript } from '../../support/processes/run-script.ts';
import { startLocalService, useLocalService } from '../../support/service/local-service.ts';
import { sampleNames } from '../../support/answers/sample-answers.ts';

const dynamodb = 'http://host.docker.internal:8000';

interface Resource {
  readonly Type: string;
  readonly Properties: { readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> } };
}

describe('the files for sam local', { tags: 'long' }, () => {
  const service = useLocalService();
  let folder: string;
  let synthesized: Readonly<Record<string, Resource>>;
  beforeAll(async () => {
    synthesized = JSON.parse(await readFile(templateFile, 'utf8')).Resources;
    folder = await mkdtemp(join(tmpdir(), 'sam-files-'));
    await writeSamFiles(service.url, dynamodb, folder);
  });

  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));

  it('every function in the template for SAM declares the variables of env.json, in addition to its own', async () => {
    const { Parameters } = await read('env.json');
    // Lambda reserves the names of the other variables of the engine, and `sam validate --lint` rejects them.
    expect(Parameters).toEqual({ AWS_ENDPOINT_URL_DYNAMODB: dynamodb });
    const { Resources } = await read('template.json');
    const functions = Object.entries(synthesized).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
    for (const [id, { Properties }] of functions) {
      expect(Resources[id]).not.toHaveProperty('DependsOn');
      const declared = Object.keys(Parameters).map((name) => [name, '']);
      const own = Properties.Environment?.Variables;
      const { Variables } = Resources[id].Properties.Environment;
      expect(Variables).toEqual({ ...own, ...Object.fromEntries(declared) });
    }
  });

  it('the template for SAM has the resources of the synthesized template, with paths to existing bundles', async () => {
    const { Resources } = await read('template.json');
    expect(Object.keys(Resources)).toEqual(Object.keys(synthesized));
    for (const [id, { Type, Properties }] of Object.entries(synthesized)) {
      if (Type !== 'AWS::Lambda::Function') expect(Resources[id].Properties).toEqual(Properties);
      else expect(existsSync(resolve(folder, Resources[id].Metadata['aws:asset:path']))).toBe(true);
    }
  });

  it('the files for SAM contain an event for each sample, and options that name the file of the variables', async () => {
    const files = sampleNames.map((name) => `${name}.json`);
    expect((await readdir(join(folder, 'events'))).toSorted()).toEqual(files.toSorted());
    const config = parse(await readFile(join(folder, 'samconfig.yaml'), 'utf8'));
    expect(config.default.global.parameters).toMatchObject({ env_vars: 'env.json' });
  });
});

describe('npm run sam:events', { tags: 'long' }, () => {
  const run = (...options: string[]) => runScript('infra/local/sam/sam-files.ts', options);

  it('npm run sam:events prints one line if the service has no demo data', async () => {
    const service = await startLocalService({ demo: false });
    const advice = 'Run npm start with its demo data, or pass its address with --gateway.';
    const stderr = `The demo account cannot log in at ${service.url}. ${advice}\n`;
    expect(await run('--gateway', service.url)).toEqual({ code: 1, stdout: '', stderr });
    await service.close();
  });
});
