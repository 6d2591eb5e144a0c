/** The options of a deployment: what `-c name=value` may set. */
const optionNames = [
  'stage',
  'architecture',
  'alarmEmail',
  'writeUnitsPerHour',
  'domainName',
  'certificateArn',
  'hostedZoneId',
  'hostedZoneName',
  'loginConcurrency',
  'waf',
  'docs',
  'gatewayLogRole',
] as const;

export type OptionName = (typeof optionNames)[number];

/**
 * An option (`-c name=value`) that is unknown or wrong, or misses another one; the message is one line that names it.
 */
export class OptionError extends Error {}

// What the CDK keeps in the same place and does not mark with a colon or a slash.
const namesOfTheCdk = ['cli-telemetry', 'acknowledged-issue-numbers'];

/** Throws an OptionError for the first name that is neither an option's nor one of the CDK's own. */
export function requireKnownNames(names: readonly string[]): void {
  const known: readonly string[] = [...optionNames, ...namesOfTheCdk];
  const unknown = names.find((name) => !/[:/]/.test(name) && !known.includes(name));
  if (unknown === undefined) return;
  throw new OptionError(`-c ${unknown}: there is no such option. Did you mean ${nearestOption(unknown)}?`);
}

function nearestOption(name: string): OptionName {
  const distance = (option: OptionName) => editDistance(name.toLowerCase(), option.toLowerCase());
  return optionNames.reduce((nearest, option) => (distance(option) < distance(nearest) ? option : nearest));
}

/** How many characters must be inserted, deleted or replaced to make one text of the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, character] of from.split('').entries()) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = row[column]! + (character === to[column] ? 0 : 1);
      next.push(Math.min(replaced, row[column + 1]! + 1, next[column]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
