import { expect, test } from 'vitest';
import { registrationSchema } from '#contract/accounts.ts';
import { communityInputSchema, joinInputSchema } from '#contract/communities.ts';
import { postInputSchema } from '#contract/posts.ts';

const POST = { title: 'Simu', location: 'Moshi', phone_number: '0712345678' };
const PERSON = {
  username: 'asha',
  email: 'asha@example.com',
  whatsapp_number: '0712345678',
  password: 'tumaini la kesho',
};

/** Embeddings, overrides and isolates, and what ends them. */
const TURNING = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];

const NAMES = {
  title: (text: string) => postInputSchema.safeParse({ ...POST, title: text }),
  location: (text: string) => postInputSchema.safeParse({ ...POST, location: text }),
  owner_first_name: (text: string) => postInputSchema.safeParse({ ...POST, owner_first_name: text }),
  owner_last_name: (text: string) => postInputSchema.safeParse({ ...POST, owner_last_name: text }),
  username: (text: string) => registrationSchema.safeParse({ ...PERSON, username: text }),
  name: (text: string) => communityInputSchema.safeParse({ name: text }),
};

test.each(Object.entries(NAMES))('%s takes no character that turns the letters around it', (field, parse) => {
  for (const character of TURNING) {
    const { error } = parse(`Neema ${character}ihsuM`);
    expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([[field, 'text_control_characters']]);
  }
});

test.each(Object.entries(NAMES))('%s takes every script as it is typed', (_field, parse) => {
  for (const text of [
    'محفظة ضائعة',
    'ארנק שאבד',
    'Simu (محمد) 2',
    // Marks of direction, a joiner and a non-joiner, which words and pictures are made with.
    'Simu \u200eA\u200f \u061cمحمد',
    'می\u200cخواهم',
    '👨\u200d👩\u200d👧 🇹🇿',
  ])
    expect(parse(text).success, text).toBe(true);
});

test('a description keeps them: it is a paragraph of its own', () => {
  const description = `Begi ${TURNING.join('jeusi')}`;
  expect(postInputSchema.safeParse({ ...POST, description }).data?.description).toBe(description);
});

test('a code may be pasted with what a messenger puts around it', () => {
  expect(joinInputSchema.safeParse({ access_code: '\u2068ABCD2345EF\u2069\n' }).success).toBe(true);
});
