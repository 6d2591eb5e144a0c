/** Returns a number with its noun, such as `1 day` or `2 days`. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
