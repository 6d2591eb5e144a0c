import { stringify } from 'yaml';
import { exportTenant, type ExportedTenant } from '../../../lib/admin/directory/export-tenant.ts';
import { counted } from '../counted.ts';
import { printableJson } from '../../../lib/runtime/printable.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { outOption } from '../out-file.ts';

const HEADING = `# A file of apply. It has no passwords: set-password gives a user one. It has no API keys: where there is no key
# of such a name, apply makes one and shows it once. It has no player ids: each device registers its own at a login.
`;

// Every text in quotes and on one line: whatever it holds, neither YAML nor a terminal takes it for anything else.
const STYLE = {
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'PLAIN',
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  lineWidth: 0,
} as const;

/** `export`: what a tenant has, as a file that `apply` takes. */
export const exportCommand = defineCommand('export', {
  summary:
    'Print what a tenant has as a file that apply takes (YAML, or JSON with --json), without passwords and keys.',
  example: 'export demo.example --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(outOption)
  .action((tenant, options) =>
    runCommand(options, async ({ ports, output }) => {
      const exported = await exportTenant(ports, tenant);
      if (options.json) output.document({ tenants: [await wholeTenant(exported)] });
      else {
        for await (const text of yamlOf(exported)) {
          output.write(text);
          if (!(await output.canContinue())) break;
        }
      }
      await output.complete();
      output.note('Left out: passwords, the texts of API keys, and player ids, which logins register.');
      const { leftOut } = exported;
      if (leftOut.length > 0) {
        output.note(`Left out: ${counted(leftOut.length, 'API key')}, revoked or with a newer one of the same name.`);
      }
      return EXIT.done;
    }),
  );

/** A file of `apply` with one tenant, in parts. */
async function* yamlOf({ tenant, lists }: ExportedTenant): AsyncGenerator<string> {
  yield HEADING + toYaml({ tenants: [tenant] });
  let open = '';
  for await (const { list, entries } of lists) {
    if (entries.length === 0) continue;
    if (list !== open) yield `    ${list}:\n`;
    yield toYaml(entries).replaceAll(/^(?=.)/gm, ' '.repeat(6));
    open = list;
  }
}

function toYaml(value: object): string {
  return printableJson(stringify(value, STYLE));
}

async function wholeTenant({ tenant, lists }: ExportedTenant): Promise<object> {
  const whole: Record<string, object[]> = {};
  for await (const { list, entries } of lists) (whole[list] ??= []).push(...entries);
  return { ...tenant, ...whole };
}
