import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import type { Dice } from '#tests/support/dice.ts';
import { type KnownPost, type Line, type Person, type Wish, wishFor } from './client.ts';

/** One action of a person. Add an action for each kind of data that a crash could lose. */
type Work = (line: Line, people: readonly Person[], dice: Dice) => Promise<void>;

const CARD = { location: 'Kariakoo', phone_number: '0712345678', description: '' };
const PICTURE = new Uint8Array(readFileSync(join(PROJECT_ROOT, 'tests/support/pictures/grey.jpg')));
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function newName(dice: Dice): string {
  return `M${Array.from({ length: 14 }, () => dice.pick([...LETTERS])).join('')}`;
}

function pickTwo(people: readonly Person[], dice: Dice): [Person, Person] {
  const first = dice.pick(people);
  return [first, dice.pick(people.filter((person) => person !== first))];
}

/** @returns the post, once its creation is acknowledged. */
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
      line.ledger.claims.push({ id, postId: post.id, claimantId: claimant.id, isAccepted: false });
    },
  });
};

/** Accepts a claim as the finder, unless the post has ended in the meantime. */
const acceptClaim: Work = async (line, people, dice) => {
  const { ledger } = line;
  const waiting = ledger.claims.filter(
    ({ id, postId, isAccepted }) => !isAccepted && ledger.isOpen(postId) && !ledger.listBusy().has(id),
  );
  if (waiting.length === 0) return;
  const claim = dice.pick(waiting);
  await wishFor(line, {
    kind: 'accept',
    method: 'POST',
    path: `/claims/${claim.id}/accept`,
    token: tokenOf(people, ledger.posts.get(claim.postId)?.authorId),
    key: randomUUID(),
    onAnswer({ status }) {
      if (status < 300) claim.isAccepted = true;
      // A 409 means that an earlier, interrupted request had succeeded, or that the claim is over.
      else if (status !== 409) ledger.problems.push(`accepting ${claim.id} was answered ${status}`);
    },
  });
};

/** Posts a bag with one or two photos. */
const photographBag: Work = async (line, people, dice) => {
  const author = dice.pick(people);
  const names = { owner_first_name: '', owner_last_name: '' };
  const post = await makePost(line, author, { ...names, posted_by: 'finder', title: `Begi ${newName(dice)}` });
  for (let count = dice.below(2); post && count >= 0; count--) await addPhoto(line, author, post);
};

function addPhoto(line: Line, author: Person, post: KnownPost): Promise<void> {
  const { ledger } = line;
  return wishFor(line, {
    kind: 'photo',
    method: 'POST',
    path: `/posts/${post.id}/photos`,
    token: author.token,
    body: PICTURE,
    key: randomUUID(),
    onAnswer({ status, body: { id } }) {
      // The post may have been deleted meanwhile.
      if (status === 404 && !ledger.isOpen(post.id)) return;
      if (status !== 201 || id === undefined) return void ledger.problems.push(`a photo was answered ${status}`);
      ledger.photos.push({ id, postId: post.id, isGone: false });
    },
  });
}

const deletePhoto: Work = async (line, people, dice) => {
  const { ledger } = line;
  const there = ledger.photos.filter(({ postId, isGone }) => !isGone && ledger.isOpen(postId));
  if (there.length === 0) return;
  const photo = dice.pick(there);
  await wishFor(line, {
    kind: 'delete photo',
    method: 'DELETE',
    path: `/posts/${photo.postId}/photos/${photo.id}`,
    token: tokenOf(people, ledger.posts.get(photo.postId)?.authorId),
    key: randomUUID(),
    onAnswer({ status }) {
      if (status >= 300 && status !== 404) ledger.problems.push(`deleting ${photo.id} was answered ${status}`);
      else photo.isGone = true;
    },
  });
};

function tokenOf(people: readonly Person[], id: string | undefined): string {
  return people.find((person) => person.id === id)?.token ?? '';
}

/** Changes an existing post that nobody else is changing. */
function changing(make: (post: KnownPost, dice: Dice) => Pick<Wish, 'kind' | 'method' | 'path'>): Work {
  return async (line, people, dice) => {
    const open = [...line.ledger.posts.values()].filter(({ id }) => line.ledger.isOpen(id));
    if (open.length === 0) return;
    const post = dice.pick(open);
    const wish = make(post, dice);
    await wishFor(line, {
      ...wish,
      token: tokenOf(people, post.authorId),
      key: randomUUID(),
      onAnswer({ status }) {
        // A 404 means that an earlier, interrupted deletion had succeeded.
        const isDone = status < 300 || (wish.kind === 'delete' && status === 404);
        if (!isDone) return void line.ledger.problems.push(`${wish.kind} of ${post.id} was answered ${status}`);
        if (wish.kind === 'delete') post.isGone = true;
        if (wish.kind === 'found') post.isFound = true;
      },
    });
  };
}

const deletePost = changing(({ id }) => ({ kind: 'delete', method: 'DELETE', path: `/posts/${id}` }));
const markFound = changing(({ id }) => ({ kind: 'found', method: 'PATCH', path: `/posts/${id}/found` }));

export const WORKS: readonly Work[] = [
  postCards,
  postCards,
  claimBag,
  acceptClaim,
  photographBag,
  deletePhoto,
  deletePost,
  markFound,
];
