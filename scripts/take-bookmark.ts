import { UserError } from './user-error.ts';
import { askWrangler } from './wrangler.ts';

/** Asks Time Travel what it calls the deployed database as it is now. @returns how to go back to it, which is printed too. */
export async function takeBookmark(): Promise<string> {
  const { bookmark } = await askWrangler<{ bookmark?: string }>(['d1', 'time-travel', 'info', 'DB']);
  if (!bookmark) throw new UserError('Time Travel gave no bookmark.');
  const wayBack = `The way back to the database of before: npx wrangler d1 time-travel restore DB --bookmark=${bookmark}`;
  console.log(wayBack);
  return wayBack;
}
