import type { Session } from '#contract/accounts.ts';
import type { PostEntry } from '#contract/posts.ts';
import { DEMO_USERS } from '#scripts/database/demo-people.ts';
import { DEMO_PHOTOS } from '#scripts/database/demo-photos.ts';
import { DEMO_POSTS } from '#scripts/database/demo-posts.ts';
import { drawPicture } from '#scripts/database/draw-picture.ts';

/** Uploads the demo posts' photos through the running app, as their authors would, because only the Worker makes renditions. */
export async function uploadDemoPhotos(origin: string): Promise<void> {
  for (const { post: name, alt, ground, shapes } of DEMO_PHOTOS) {
    const demo = DEMO_POSTS.find((post) => post.name === name);
    if (!demo) throw new Error(`No demo post has the name ${name}`);
    const { email, password } = DEMO_USERS[demo.author];
    const form = new URLSearchParams({ username: email, password });
    const { access_token } = await ask<Session>(`${origin}/api/login`, { method: 'POST', body: form });
    const headers = { Authorization: `Bearer ${access_token}` };
    const own = await ask<PostEntry[]>(`${origin}/api/posts/by-owner?limit=100`, { headers });
    const post = own.find(({ Post }) => Post.title === demo.title)?.Post;
    if (!post) throw new Error(`The demo post ${name} is not listed`);
    await ask(`${origin}/api/posts/${post.id}/photos?${new URLSearchParams({ alt })}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'image/png' },
      body: new Uint8Array(drawPicture(ground, shapes)),
    });
  }
}

async function ask<Answer>(address: string, request: RequestInit): Promise<Answer> {
  const answer = await fetch(address, request);
  if (!answer.ok) throw new Error(`${new URL(address).pathname} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
