import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { guideText } from './readme.ts';

/** The shells of people: `sh` in a guide means that a block works in all of them. */
export const SHELLS = ['bash', 'zsh', 'dash'] as const;
export type Shell = (typeof SHELLS)[number];

/** A block that people paste into a shell, with the guide and the line where it begins. */
export interface ShellBlock {
  readonly place: string;
  readonly text: string;
  readonly shells: readonly Shell[];
}

const shellsOf: Readonly<Record<string, readonly Shell[]>> = { sh: SHELLS, bash: ['bash'], zsh: ['zsh'] };
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Every shell block of every guide; other labels for shells are an error. */
export function shellBlocks(): readonly ShellBlock[] {
  const guides = globSync(['README.md', '{lib,infra,test}/**/*.md'], { cwd: root }).toSorted();
  return guides.flatMap((guide) =>
    [...guideText(guide).matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gms)].flatMap(
      ({ index, input, 1: indent = '', 2: label = '', 3: text = '' }) => {
        const place = `${guide}:${input.slice(0, index).split('\n').length}`;
        if (/^(?:shell|console|shellsession|terminal)$/.test(label)) throw new Error(`${place} is not labelled sh.`);
        const shells = shellsOf[label];
        return shells ? [{ place, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), shells }] : [];
      },
    ),
  );
}
