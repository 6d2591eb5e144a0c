import { createDirectoryRecords } from '../../../lib/storage/directory/directory-records.ts';
import { engineDocumentClient } from '../engine-client.ts';

/** Gives the part of a user's e-mail before the `@`, or the user's id where none is found. */
export type NameOf = (tenant: string, userId: string) => Promise<string>;

/** Reads each name once. */
export function readUserNames(endpoint: string, table: string): NameOf {
  const records = createDirectoryRecords(engineDocumentClient(endpoint), table);
  const names = new Map<string, Promise<string>>();
  const read = async (tenant: string, userId: string) => {
    const [user] = await records.read([{ kind: 'user', ids: [tenant, userId] }]);
    return user?.email.split('@')[0] || userId;
  };
  return (tenant, userId) => {
    const key = JSON.stringify([tenant, userId]);
    const name = names.get(key) ?? read(tenant, userId).catch(() => userId);
    names.set(key, name);
    return name;
  };
}
