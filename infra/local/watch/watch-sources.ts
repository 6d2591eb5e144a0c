import { print, printError } from '../../terminal.ts';
import { isInRoom, OTHER_ROOMS } from '../other-rooms.ts';
import { BundleError, generateValidators } from './bundler.ts';
import type { Reloader } from './reload.ts';
import { watchFolders } from './watch-folders.ts';

// A save is several events, and a person or a program may save many files at once.
const QUIET_MS = 60;
const MOST_NAMES = 2;

const isSource = (path: string) => /\.([cm]?[jt]s(on)?|css)$/.test(path) && !path.includes('.generated.');
const isOfContracts = (path: string) => /^lib\/(contracts|domain)\//.test(path);
const isOfInfra = (path: string) => path.startsWith('infra/');

/** Serves each change of functions/ and lib/ when the saving has come to rest, one after the other; until closed. */
export function watchSources(reloader: Reloader, root: string): { readonly close: () => Promise<void> } {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const watcher = watchFolders(root, ['functions', 'lib', 'infra'], (path) => {
    if (!isSource(path) || isInRoom(path, OTHER_ROOMS)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => void (working = working.then(takeOver)), QUIET_MS);
  });

  async function takeOver(): Promise<void> {
    const paths = [...changed];
    changed.clear();
    const ofInfra = paths.filter(isOfInfra);
    if (ofInfra.length > 0) print(`${namesOf(ofInfra)} changed: restart npm start to take over a change of infra/.`);
    const sources = paths.filter((path) => !isOfInfra(path));
    if (sources.length === 0) return;
    const startedMs = performance.now();
    try {
      if (sources.some(isOfContracts)) await generateValidators(root);
      const names = await reloader.reload();
      const seconds = ((performance.now() - startedMs + QUIET_MS) / 1000).toFixed(1);
      const result = names.length === 0 ? 'no function differs' : `served after ${seconds} s: ${names.join(', ')}`;
      print(`${namesOf(sources)} changed, ${result}.`);
    } catch (error) {
      printError(`${error instanceof BundleError ? error.message : String(error)}\nWhat was served before goes on.`);
    }
  }

  return {
    async close() {
      clearTimeout(timer);
      watcher.close();
      await working;
    },
  };
}

function namesOf(paths: readonly string[]): string {
  const left = paths.length - MOST_NAMES;
  return [...paths.slice(0, MOST_NAMES), ...(left > 0 ? [`${left} more`] : [])].join(', ');
}
