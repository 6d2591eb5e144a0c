/** Whether a record of a stream passes. */
export type RecordFilter = (record: unknown) => boolean;

type Rule = (value: unknown) => boolean;

/** The filter that a pattern of the template stands for; one with a rule that is not known here throws. */
export function filterOf(pattern: string): RecordFilter {
  return filterOfPart(JSON.parse(pattern), pattern);
}

function filterOfPart(part: unknown, pattern: string): RecordFilter {
  if (Array.isArray(part)) {
    const rules = part.map((rule) => ruleOf(rule, pattern));
    return (value) => rules.some((holds) => holds(value));
  }
  if (typeof part !== 'object' || part === null) throw new Error(unknownRule(part, pattern));
  const filters = Object.entries(part).map(([name, below]) => [name, filterOfPart(below, pattern)] as const);
  return (value) => filters.every(([name, passes]) => passes(propertyOf(value, name)));
}

function ruleOf(rule: unknown, pattern: string): Rule {
  if (typeof rule === 'string') return (value) => value === rule;
  const [[name, operand] = [], ...others] = typeof rule === 'object' && rule !== null ? Object.entries(rule) : [];
  if (others.length === 0 && name === 'exists' && operand === true) return (value) => value !== undefined;
  if (others.length === 0 && name === 'prefix' && typeof operand === 'string')
    return (value) => typeof value === 'string' && value.startsWith(operand);
  throw new Error(unknownRule(rule, pattern));
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const unknownRule = (rule: unknown, pattern: string) =>
  `The rule ${JSON.stringify(rule)} is not known on this machine (of the filter ${pattern}).`;
