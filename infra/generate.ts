import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { contracts } from '../lib/contracts/contracts.ts';
import { clientTypes } from './client/client-types.ts';
import { readOptions } from './command-line.ts';
import { exportName, validatorSource } from './validator-source.ts';

readOptions(`Usage: npm run generate

Makes of the contracts what is not committed: the validators (lib/contracts/validators.generated.js and .d.ts), and the
types of the client (lib/client/portal-data.generated.ts).`);

/** Writes only what differs: `npm start --watch` bundles anew whatever has been written. */
function write(path: string, text: string): void {
  const file = new URL(`../lib/${path}`, import.meta.url);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** The name of the type of an endpoint's input, which the file of its contract exports. */
const inputName = (name: string) => exportName(`-${name}`) + 'Input';

write('client/portal-data.generated.ts', clientTypes());
write('contracts/validators.generated.js', validatorSource(contracts));

const inputs = contracts.map(({ name }) => `import type { ${inputName(name)} } from './${name}.ts';`);
const validators = contracts.map(
  ({ name }) => `export const ${exportName(name)}: Validator<'${name}', ${inputName(name)}>;`,
);
const declarations = ["import type { Validator } from './contract.ts';", ...inputs, ...validators];
write('contracts/validators.generated.d.ts', `${declarations.join('\n')}\n`);
