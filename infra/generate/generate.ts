import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { generateClientTypes } from './client-types.ts';
import { readOptions } from '../process/read-options.ts';
import { contracts } from '../routes.ts';
import { generateValidators, toExportName } from './validator-source.ts';

readOptions(`Usage: npm run generate

Generates from the contracts the files that are not committed: the validators (lib/contracts/validators.generated.js and
.d.ts), and the types of the client (lib/client/portal-data.generated.ts).`);

writeIfChanged('client/portal-data.generated.ts', generateClientTypes());
writeIfChanged('contracts/validators.generated.js', generateValidators(contracts));
writeIfChanged('contracts/validators.generated.d.ts', generateDeclarations());

/** Writes a file of lib/ only if its text changes, because `npm start --watch` bundles again after every write. */
function writeIfChanged(path: string, text: string): void {
  const file = new URL(`../../lib/${path}`, import.meta.url);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** Generates the types of the validators, whose inputs are the types that the files of the contracts export. */
function generateDeclarations(): string {
  const lines = ["import type { Validator } from './contract.ts';"];
  for (const { name } of contracts) lines.push(`import type { ${toInputName(name)} } from './${name}.ts';`);
  for (const { name } of contracts) {
    lines.push(`export const ${toExportName(name)}: Validator<'${name}', ${toInputName(name)}>;`);
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the name of the type of an endpoint's input: `DeclareInvoiceInput` for `declare-invoice`. */
function toInputName(name: string): string {
  return `${toExportName(`-${name}`)}Input`;
}
