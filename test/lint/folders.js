import { dirname, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** The folder of the table that holds a path, the innermost of them; undefined when none does. */
function folderOf(path, table) {
  const folders = Object.keys(table).filter((folder) => path.startsWith(`${folder}/`));
  return folders.toSorted((one, other) => other.length - one.length)[0];
}

/**
 * Whether a folder may import: its row names other folders of the table, or packages and folders with all their paths;
 * `type X`: its types only; `*`: everything.
 */
function isAllowed(target, isType, folder, table) {
  const inside = (name) => !(name in table) && target.startsWith(name.endsWith(':') ? name : `${name}/`);
  const matches = (name) => name === '*' || target === name || inside(name);
  return target === folder || table[folder].some((entry) => matches(isType ? entry.replace(/^type /, '') : entry));
}

/** Refuses the imports that the table of folders in .oxlintrc.json does not allow. */
const imports = {
  meta: { schema: [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }] },
  create(context) {
    const [table] = context.options;
    const path = relative(root, context.filename);
    const folder = folderOf(path, table);
    const check = (node, isType) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const file = specifier.startsWith('.') ? relative(root, resolve(dirname(context.filename), specifier)) : null;
      const target = file === null ? specifier : (folderOf(file, table) ?? file);
      if (folder !== undefined && isAllowed(target, isType, folder, table)) return;
      context.report({ node, message: `${folder ?? path} may not import ${isType ? 'types of ' : ''}${target}.` });
    };
    const isTypeOnly = (node, kind, specifiers) =>
      node[kind] === 'type' || (specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === 'type'));
    return {
      ImportDeclaration: (node) => check(node, isTypeOnly(node, 'importKind', node.specifiers)),
      ExportNamedDeclaration: (node) => check(node, isTypeOnly(node, 'exportKind', node.specifiers)),
      ExportAllDeclaration: (node) => check(node, isTypeOnly(node, 'exportKind', [])),
      ImportExpression: (node) => check(node, false),
      TSImportType: (node) => check(node, true),
    };
  },
};

// oxlint asks a plugin for a default export.
export default { meta: { name: 'folders' }, rules: { imports } };
