import { defineOps } from './define-ops.ts';
import { type CommandWords, programOptions, type Word } from './program-words.ts';

/** Words with their meanings, as _describe takes them. */
function described(words: readonly Word[], indent: string): string {
  return words.map(({ text, meaning }) => `${indent}'${`${text}:${meaning}`.replaceAll("'", "'\\''")}'`).join('\n');
}

/** The script for zsh; where it knows no word, zsh completes names of files. */
export function zshCompletion(commands: readonly CommandWords[]): string {
  const options = commands.map(
    ({ text, options: own }) => `    ${text})\n      options=(\n${described(own, ' '.repeat(8))}\n      ) ;;`,
  );
  const afterOptions = commands.flatMap(({ text, optionChoices }) =>
    optionChoices.map(({ option, values }) => `    '${text} ${option}') compadd -- ${values.join(' ')}; return ;;`),
  );
  const positions = commands.flatMap(({ text, argumentChoices }) =>
    argumentChoices.map(
      ({ position, values }) => `    '${text} ${position + 2}') compadd -- ${values.join(' ')}; return ;;`,
    ),
  );
  return `${defineOps}

_ops() {
  local -a commands options
  commands=(
${described([...commands, ...programOptions], '    ')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${afterOptions.join('\n')}
  esac
  case "$words[2] $CURRENT" in
${positions.join('\n')}
  esac
  case $words[2] in
${options.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe -o option options
  else
    _files
  fi
}

autoload -Uz compinit
(( $+functions[compdef] )) || compinit
compdef _ops ops`;
}
