import { stringify } from 'yaml';
import { exportTenant } from './export-tenant.ts';
import { counted } from '../counted.ts';
import { printableJson } from '../../../lib/runtime/printable.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { outOption } from '../out-file.ts';

const HEADING = `# A file for apply. It contains no passwords: set them with set-password. It contains no API keys: if no key has the
# name, apply generates one and shows it once. It contains no player ids: each device registers its own at a login.
`;

// Every text is quoted and on one line, so that neither YAML nor a terminal interprets its contents.
const STYLE = {
  defaultStringType: 'QUOTE_DOUBLE',
  defaultKeyType: 'PLAIN',
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  lineWidth: 0,
} as const;

/** `export`: prints a tenant as a file for `apply`. */
export const exportCommand = defineCommand('export', {
  summary: 'Print a tenant as a file for apply (YAML, or JSON with --json), without passwords and keys.',
  example: 'export demo.example --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(outOption)
  .action((tenant, options) =>
    runCommand(options, async ({ ports, output }) => {
      const { entry, leftOut } = await exportTenant(ports, tenant);
      const file = { tenants: [entry] };
      if (options.json) output.document(file);
      else output.write(HEADING + printableJson(stringify(file, STYLE)));
      await output.complete();
      output.note('Left out: passwords, the texts of API keys, and player ids, which logins register.');
      if (leftOut > 0) {
        output.note(`Left out: ${counted(leftOut, 'API key')}, revoked or with a newer one of the same name.`);
      }
      return EXIT.done;
    }),
  );
