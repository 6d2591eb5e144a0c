/** How many there are of something, as people say it: `1 user`, `2 users`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
