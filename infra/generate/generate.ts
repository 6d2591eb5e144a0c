import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { contracts } from '../routes.ts';
import { generateClientTypes } from './client-types.ts';
import { generateValidators, toExportName, toTypeName } from './validator-source.ts';

/** Generates the source files that are not committed: the validators of the contracts, and the types of the client. */
export function generateFiles(): void {
  writeIfChanged('client/portal-data.generated.ts', generateClientTypes());
  writeIfChanged('contracts/validators.generated.js', generateValidators(contracts));
  writeIfChanged('contracts/validators.generated.d.ts', generateDeclarations());
}

/** Writes a file of lib/ only if its text changes, because other scripts can read the file at the same time. */
function writeIfChanged(path: string, text: string): void {
  const file = new URL(`../../lib/${path}`, import.meta.url);
  const isUpToDate = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!isUpToDate) writeFileSync(file, text);
}

/** Generates the types of the validators, whose inputs are types of the contracts, such as `LoginInput` of login.ts. */
function generateDeclarations(): string {
  const lines = ["import type { Validator } from './contract.ts';"];
  for (const { name } of contracts) {
    const inputType = `import('./${name}.ts').${toTypeName(name)}Input`;
    lines.push(`export const ${toExportName(name)}: Validator<'${name}', ${inputType}>;`);
  }
  return `${lines.join('\n')}\n`;
}

if (import.meta.main) generateFiles();
