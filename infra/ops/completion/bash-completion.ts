import { defineOps } from './define-ops.ts';
import { type CommandWords, programOptions, type Word } from './program-words.ts';

const wordList = (words: readonly Word[]) => words.map(({ text }) => text).join(' ');

/** The script for bash; where it knows no word, bash completes names of files. */
export function bashCompletion(commands: readonly CommandWords[]): string {
  const options = commands.map(({ text, options: own }) => `      ${text}) words='${wordList(own)}' ;;`);
  const afterOptions = commands.flatMap(({ text, optionChoices }) =>
    optionChoices.map(({ option, values }) => `    '${text} ${option}') words='${values.join(' ')}' ;;`),
  );
  const positions = commands.flatMap(({ text, argumentChoices }) =>
    argumentChoices.map(({ position, values }) => `      '${text} ${position + 1}') words='${values.join(' ')}' ;;`),
  );
  return `${defineOps}

_ops() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} words=
  case "$command $previous" in
${afterOptions.join('\n')}
  esac
  if [ "$COMP_CWORD" = 1 ]; then
    words='${wordList([...commands, ...programOptions])}'
  elif [ -z "$words" ] && [ "\${current#-}" != "$current" ]; then
    case $command in
${options.join('\n')}
    esac
  elif [ -z "$words" ]; then
    case "$command $COMP_CWORD" in
${positions.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}

complete -o default -F _ops ops`;
}
