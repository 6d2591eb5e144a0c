import { Argument, Command } from '@commander-js/extra-typings';
import { print } from '../../terminal.ts';
import { type CommonOptions, OPS } from '../command.ts';
import { bashCompletion } from './bash-completion.ts';
import { wordsOf } from './program-words.ts';
import { zshCompletion } from './zsh-completion.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion };

const SUMMARY = 'Print a script that defines ops as a command of your shell, and completes what it takes.';

const HELP = `
The script is for a shell that stands in the folder of the service:
  $ eval "$(${OPS} completion bash)"

Example:
  $ ${OPS} completion bash`;

/** `completion`: a script with which a shell knows `ops`, its commands and their options. */
export const completionCommand = new Command('completion')
  .summary(SUMMARY)
  .description(SUMMARY)
  .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
  .addHelpText('after', HELP)
  .action((shell, options: CommonOptions, command) => {
    const { invocation } = options;
    if (!invocation || !command.parent) throw new Error('The program has not begun this command.');
    print(scripts[shell](wordsOf(command.parent)), invocation.host.stdout);
  });
