/** What is asked of a path in a syntax tree, as Stryker hands it out (a NodePath of Babel). */
interface SyntaxPath {
  isFunction(): boolean;
  getFunctionParent(): object | null;
  traverse(visitor: { Function(inner: { stop(): void }): void }): void;
}

function holdsFunction(path: SyntaxPath): boolean {
  let isHeld = false;
  path.traverse({
    Function(inner) {
      isHeld = true;
      inner.stop();
    },
  });
  return isHeld;
}

/**
 * A plugin of Stryker that leaves what a module does once, when it is loaded, as it is. Stryker itself leaves it only
 * where no test loads the module while it runs; else it would run the tests that do, and none of those that use it.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'module-level',
    value: {
      shouldIgnore: (path: SyntaxPath) =>
        path.isFunction() || path.getFunctionParent() !== null || holdsFunction(path)
          ? undefined
          : 'It happens once, when the module is loaded.',
    },
  },
];
