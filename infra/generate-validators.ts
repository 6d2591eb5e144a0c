import { writeFileSync } from 'node:fs';
import { contracts } from '../lib/contracts/contracts.ts';
import { readOptions } from './command-line.ts';
import { exportName, validatorSource } from './validator-source.ts';

readOptions(`Usage: npm run generate

Makes the validators of lib/contracts (validators.generated.js and .d.ts) of the JSON Schemas of the contracts.`);

const target = (extension: string) => new URL(`../lib/contracts/validators.generated.${extension}`, import.meta.url);

/** The name of the type of an endpoint's input, which the file of its contract exports. */
const inputName = (name: string) => exportName(`-${name}`) + 'Input';

writeFileSync(target('js'), validatorSource(contracts));

const inputs = contracts.map(({ name }) => `import type { ${inputName(name)} } from './${name}.ts';`);
const validators = contracts.map(
  ({ name }) => `export const ${exportName(name)}: Validator<'${name}', ${inputName(name)}>;`,
);
const declarations = ["import type { Validator } from './contract.ts';", ...inputs, ...validators];
writeFileSync(target('d.ts'), `${declarations.join('\n')}\n`);
