import { hashPassword, verifyPassword } from '../../auth/passwords.ts';

/** The hash to store for a password: the one that is stored while it matches, because a new one always differs. */
export async function passwordHashFor(password: string, stored: string | undefined): Promise<string> {
  const matches = stored !== undefined && (await verifyPassword(password, stored));
  return matches ? stored : hashPassword(password);
}
