import type { Command } from '@commander-js/extra-typings';

/** A word that can be typed, and what it means. */
export interface Word {
  readonly text: string;
  readonly meaning: string;
}

/** A command as a shell completes it. */
export interface CommandWords extends Word {
  readonly options: readonly Word[];
  /** The values that can follow an option, for those that have a choice. */
  readonly optionChoices: readonly { readonly option: string; readonly values: readonly string[] }[];
  /** The values of an argument that has a choice; the first argument is at 1. */
  readonly argumentChoices: readonly { readonly position: number; readonly values: readonly string[] }[];
}

/** The commands of a program, with their options. */
export function wordsOf(program: Pick<Command, 'commands'>): CommandWords[] {
  return program.commands.map((command) => ({
    text: command.name(),
    meaning: command.summary(),
    options: [
      ...command.options.map(({ long, description }) => ({ text: long ?? '', meaning: description })),
      { text: '--help', meaning: 'show the options and an example' },
    ],
    optionChoices: command.options.flatMap(({ long, argChoices: values }) =>
      values ? [{ option: long ?? '', values }] : [],
    ),
    argumentChoices: command.registeredArguments.flatMap(({ argChoices: values }, index) =>
      values ? [{ position: index + 1, values }] : [],
    ),
  }));
}

/** What `ops` itself takes beside commands. */
export const programOptions: readonly Word[] = [
  { text: '--help', meaning: 'show the commands' },
  { text: '--version', meaning: 'show the version' },
];
