import { randomUUID } from 'node:crypto';
import type { Dice } from '#tests/support/dice.ts';
import { type Line, type Person, wishFor } from './client.ts';
import type { KnownPost, Wish } from './ledger.ts';

/** One thing that somebody does; whatever has an end of its own to be lost joins here. */
type Work = (line: Line, people: readonly Person[], dice: Dice) => Promise<void>;

const CARD = { location: 'Kariakoo', phone_number: '0712345678', description: '' };
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function newName(dice: Dice): string {
  return `M${Array.from({ length: 14 }, () => dice.pick([...LETTERS])).join('')}`;
}

function pickTwo(people: readonly Person[], dice: Dice): [Person, Person] {
  const first = dice.pick(people);
  return [first, dice.pick(people.filter((person) => person !== first))];
}

/** @returns the post, once there is an answer that it was made. */
async function makePost(line: Line, author: Person, body: Record<string, unknown> & { title: string }) {
  const made: { post?: KnownPost } = {};
  await wishFor(line, {
    kind: 'post',
    method: 'POST',
    path: '/posts',
    token: author.token,
    body: { ...CARD, ...body },
    key: randomUUID(),
    onAnswer({ status, body: { id } }) {
      if (status !== 201 || id === undefined) return void line.ledger.problems.push(`a post was answered ${status}`);
      made.post = { id, title: body.title, authorId: author.id, isFound: false, isGone: false };
      line.ledger.posts.set(id, made.post);
    },
  });
  return made.post;
}

const postCards: Work = async (line, people, dice) => {
  const [owner, finder] = pickTwo(people, dice);
  const names = { owner_first_name: 'Neema', owner_last_name: newName(dice) };
  const title = `Nimepoteza kitambulisho cha NIDA ${names.owner_last_name}`;
  const lost = await makePost(line, owner, { ...names, posted_by: 'owner', title });
  const found = await makePost(line, finder, {
    ...names,
    posted_by: 'finder',
    title: `Found a NIDA card ${names.owner_last_name}`,
  });
  if (lost && found) line.ledger.pairs.push({ lostId: lost.id, foundId: found.id, ownerId: owner.id });
};

const claimBag: Work = async (line, people, dice) => {
  const [finder, claimant] = pickTwo(people, dice);
  const names = { owner_first_name: '', owner_last_name: '' };
  const post = await makePost(line, finder, { ...names, posted_by: 'finder', title: `Begi ${newName(dice)}` });
  if (!post) return;
  await wishFor(line, {
    kind: 'claim',
    method: 'POST',
    path: `/posts/${post.id}/claims`,
    token: claimant.token,
    body: { answer: 'Lina daftari' },
    key: randomUUID(),
    onAnswer({ status, body: { id } }) {
      if (status !== 201 || id === undefined) return void line.ledger.problems.push(`a claim was answered ${status}`);
      line.ledger.claims.push({ id, postId: post.id });
    },
  });
};

/** Changes a post of its author's that is there, and that nobody else is changing. */
function changing(make: (post: KnownPost, dice: Dice) => Pick<Wish, 'kind' | 'method' | 'path' | 'body'>): Work {
  return async (line, people, dice) => {
    const busy = new Set([...line.ledger.doubts].map(({ path }) => path.split('/')[2]));
    const open = [...line.ledger.posts.values()].filter(
      ({ id, isGone, isFound }) => !isGone && !isFound && !busy.has(id),
    );
    if (open.length === 0) return;
    const post = dice.pick(open);
    const wish = make(post, dice);
    const token = people.find(({ id }) => id === post.authorId)?.token ?? '';
    await wishFor(line, {
      ...wish,
      token,
      key: randomUUID(),
      onAnswer({ status }) {
        // A deletion that was cut off had happened.
        const isDone = status < 300 || (wish.kind === 'delete' && status === 404);
        if (!isDone) return void line.ledger.problems.push(`${wish.kind} of ${post.id} was answered ${status}`);
        if (wish.kind === 'delete') post.isGone = true;
        if (wish.kind === 'found') post.isFound = true;
        if (wish.kind === 'edit') post.title = String(wish.body?.title);
      },
    });
  };
}

const deletePost = changing(({ id }) => ({ kind: 'delete', method: 'DELETE', path: `/posts/${id}` }));
const markFound = changing(({ id }) => ({ kind: 'found', method: 'PATCH', path: `/posts/${id}/found` }));

export const WORKS: readonly Work[] = [postCards, postCards, claimBag, deletePost, markFound];
