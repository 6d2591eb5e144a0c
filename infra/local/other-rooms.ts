/** The rooms of infra/ that neither make the template nor run in `npm start`. */
export const OTHER_ROOMS = ['client', 'ops', 'recording', 'sam'] as const;

/** Whether a file of infra/, by its path in the repository, is in one of these rooms. */
export function isInRoom(path: string, rooms: readonly string[]): boolean {
  return rooms.some((room) => path.startsWith(`infra/${room}/`));
}
