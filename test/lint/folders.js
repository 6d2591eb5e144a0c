import { dirname, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Returns the innermost folder of the table that contains a path; undefined if there is none. */
function findFolder(path, table) {
  const folders = Object.keys(table).filter((folder) => path.startsWith(`${folder}/`));
  return folders.toSorted((one, other) => other.length - one.length)[0];
}

/**
 * True if a folder may import a target. Its row contains folders of the table, or packages and other folders with all
 * their paths. `type X` allows only types of X, and `*` allows everything.
 */
function isAllowed(target, isType, folder, table) {
  const isInside = (name) => !(name in table) && target.startsWith(name.endsWith(':') ? name : `${name}/`);
  const matches = (name) => name === '*' || target === name || isInside(name);
  return target === folder || table[folder].some((entry) => matches(isType ? entry.replace(/^type /, '') : entry));
}

/** Reports the imports that the table of folders in .oxlintrc.json does not allow. */
const imports = {
  meta: { schema: [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }] },
  create(context) {
    const [table] = context.options;
    const path = relative(root, context.filename);
    const folder = findFolder(path, table);
    const check = (node, isType) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const file = specifier.startsWith('.') ? relative(root, resolve(dirname(context.filename), specifier)) : null;
      const target = file === null ? specifier : (findFolder(file, table) ?? file);
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

// oxlint requires a default export of a plugin.
export default { meta: { name: 'folders' }, rules: { imports } };
