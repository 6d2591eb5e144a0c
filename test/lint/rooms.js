import { dirname, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * The room that a path belongs to: the longest name in the table that it begins with; undefined when no room holds it.
 */
function roomOf(path, table) {
  const rooms = Object.keys(table).filter((room) => path.startsWith(`${room}/`));
  return rooms.toSorted((one, other) => other.length - one.length)[0];
}

/**
 * Whether a room may import: it names rooms, or packages and folders with all their paths; `type X`: its types only;
 * `*`: everything.
 */
function isAllowed(target, isType, room, table) {
  const inside = (name) => !(name in table) && target.startsWith(name.endsWith(':') ? name : `${name}/`);
  const matches = (name) => name === '*' || target === name || inside(name);
  return target === room || table[room].some((entry) => matches(isType ? entry.replace(/^type /, '') : entry));
}

/** Refuses the imports that the table of rooms in .oxlintrc.json does not allow. */
const imports = {
  meta: { schema: [{ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }] },
  create(context) {
    const [table] = context.options;
    const path = relative(root, context.filename);
    const room = roomOf(path, table);
    const judge = (node, isType) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const file = specifier.startsWith('.') ? relative(root, resolve(dirname(context.filename), specifier)) : null;
      const target = file === null ? specifier : (roomOf(file, table) ?? file);
      if (room !== undefined && isAllowed(target, isType, room, table)) return;
      context.report({ node, message: `${room ?? path} may not import ${isType ? 'types of ' : ''}${target}.` });
    };
    const isTypeOnly = (node, kind, specifiers) =>
      node[kind] === 'type' || (specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === 'type'));
    return {
      ImportDeclaration: (node) => judge(node, isTypeOnly(node, 'importKind', node.specifiers)),
      ExportNamedDeclaration: (node) => judge(node, isTypeOnly(node, 'exportKind', node.specifiers)),
      ExportAllDeclaration: (node) => judge(node, isTypeOnly(node, 'exportKind', [])),
      ImportExpression: (node) => judge(node, false),
      TSImportType: (node) => judge(node, true),
    };
  },
};

// oxlint asks a plugin for a default export.
export default { meta: { name: 'rooms' }, rules: { imports } };
