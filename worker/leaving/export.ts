import type { Export } from '#contract/leaving.ts';
import type { Db } from '#worker/db/client.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** The keys that the file always has, even when they are empty. */
const NOTHING = {
  devices: [],
  posts: [],
  photos: [],
  communities: [],
  claims: [],
  notices: [],
  reports: [],
  blocks: [],
  settings: {},
  push: [],
} satisfies Omit<Export, 'me'>;

/** All stored data of the person, collected from every noun. */
export async function exportOf(db: Db, data: readonly PersonalData[], userId: string): Promise<Export> {
  const parts = await Promise.all(data.map(({ exportFor }) => exportFor(db, userId)));
  const { me, ...rest } = readable(Object.assign({}, ...parts)) as Partial<Export>;
  return { me: me ?? {}, ...NOTHING, ...rest };
}

/** Replaces times in milliseconds by ISO dates. */
function readable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => readable(one));
  if (typeof value === 'number' && /_(at|until)$/.test(name)) return new Date(value).toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, readable(one, key)]));
}
