import type { Export } from '#contract/leaving.ts';
import type { Db } from '#worker/db/client.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';

/** What the file always names, be there anything or not. */
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

/** Everything that is held of the person, as every noun hands it out. */
export async function exportOf(db: Db, data: readonly PersonalData[], userId: string): Promise<Export> {
  const parts = await Promise.all(data.map(({ exportFor }) => exportFor(db, userId)));
  const { me, ...rest } = readable(Object.assign({}, ...parts)) as Partial<Export>;
  return { me: me ?? {}, ...NOTHING, ...rest };
}

/** Times as people read them. */
function readable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => readable(one));
  if (typeof value === 'number' && /_(at|until)$/.test(name)) return new Date(value).toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, readable(one, key)]));
}
