import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { generateClientTypes } from './client-types.ts';
import { readOptions } from '../process/read-options.ts';
import { contracts } from '../routes.ts';
import { toExportName, generateValidators } from './validator-source.ts';

readOptions(`Usage: npm run generate

Generates from the contracts the files that are not committed: the validators (lib/contracts/validators.generated.js and
.d.ts), and the types of the client (lib/client/portal-data.generated.ts).`);

/** Writes a file only if it changes, because `npm start --watch` bundles again after every write. */
function write(path: string, text: string): void {
  const file = new URL(`../../lib/${path}`, import.meta.url);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** Builds the name of the type of an endpoint's input, which the file of its contract exports. */
const buildInputName = (name: string) => toExportName(`-${name}`) + 'Input';

write('client/portal-data.generated.ts', generateClientTypes());
write('contracts/validators.generated.js', generateValidators(contracts));

const inputs = contracts.map(({ name }) => `import type { ${buildInputName(name)} } from './${name}.ts';`);
const validators = contracts.map(
  ({ name }) => `export const ${toExportName(name)}: Validator<'${name}', ${buildInputName(name)}>;`,
);
const declarations = ["import type { Validator } from './contract.ts';", ...inputs, ...validators];
write('contracts/validators.generated.d.ts', `${declarations.join('\n')}\n`);
