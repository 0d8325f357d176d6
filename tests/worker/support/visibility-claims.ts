import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { FOUND, insertClaim } from './claims.ts';
import { newPeople } from './live.ts';
import { isOpen, maySee } from './visibility-oracle.ts';
import { askApp, callerFor, read, type Way } from './visibility-world.ts';

/** A post that the viewer may not see is 404 (V6); one that cannot be claimed is 409. */
export const claimEach: Way = async (viewer, world) => {
  for (const post of world.posts) {
    const isClaimable = isOpen(post) && post.input.posted_by === 'finder' && post.author !== viewer;
    // What may be claimed is claimed elsewhere: here it would use up the day.
    if (isClaimable && maySee(viewer, post) && viewer !== 'visitor') continue;
    const answer = await askApp('POST', `/api/posts/${post.id}/claims`, {
      ...callerFor(viewer, world),
      body: { answer: 'Ni changu' },
    });
    const refused = maySee(viewer, post) ? 409 : 404;
    expect([post.name, answer.status]).toEqual([post.name, viewer === 'visitor' ? 401 : refused]);
    expect(await answer.text()).not.toContain(post.mark);
  }
};

/** A claim between two other people is 404 (V25). */
function beNoPartOfIt(method: string, path: string, body?: unknown): Way {
  return async (viewer, world) => {
    const [finder, claimant] = await newPeople(2);
    if (!finder || !claimant) throw new Error('nobody');
    const id = await insertClaim({ postId: crypto.randomUUID(), finder, claimant });
    const answer = await askApp(method, `/api/claims/${id}${path}`, { ...callerFor(viewer, world), body });
    await env.DB.prepare('delete from claims where id = ?').bind(id).run();
    expect(answer.status).toBe(viewer === 'visitor' ? 401 : 404);
    expect(await answer.text()).not.toContain(FOUND.title);
  };
}

export const CLAIM_WAYS = {
  'GET /claims': async (viewer, world) => {
    const answer = await read(viewer, world, '/claims');
    if (viewer === 'visitor') return expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual([]);
  },
  'GET /claims/:id': beNoPartOfIt('GET', ''),
  'POST /claims/:id/ask': beNoPartOfIt('POST', '/ask', { text: 'Nini?' }),
  'POST /claims/:id/reply': beNoPartOfIt('POST', '/reply', { text: 'Hiki' }),
  'POST /claims/:id/accept': beNoPartOfIt('POST', '/accept'),
  'POST /claims/:id/decline': beNoPartOfIt('POST', '/decline'),
  'POST /claims/:id/undo': beNoPartOfIt('POST', '/undo'),
  'POST /claims/:id/withdraw': beNoPartOfIt('POST', '/withdraw'),
  'POST /claims/:id/hand-over': beNoPartOfIt('POST', '/hand-over', { code: '123456' }),
} satisfies Record<string, Way>;
