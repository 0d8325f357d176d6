import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PHOTOS_MAX, THUMBNAIL_MAX_BYTES } from '#contract/limits.ts';
import type { Photo } from '#contract/photos.ts';
import { PROJECT_ROOT, parseOptions, runScript, UserError } from '#scripts/command/command.ts';
import { PICTURES, QUARTERS, readQuarters, TRACES } from '#tests/support/pictures/pictures.ts';
import { tryApp } from './smoke/try-app.ts';

// npm run smoke -- --remote URL: checks the requests with which every visit to a deployed app begins.
// SMOKE_PASSWORD=… npm run smoke -- --remote URL --email EMAIL: also uploads the test pictures as that user and deletes
// them, because Cloudflare's Images service differs from the local one.

const USAGE = 'Usage: [SMOKE_PASSWORD=…] npm run smoke -- --remote URL [--email EMAIL]';

const FOLDER = join(PROJECT_ROOT, 'tests/support/pictures');
/** Texts that no stored picture may contain: the test pictures' metadata, and names of metadata in WebP and JPEG. */
const FORBIDDEN = [...Object.values(TRACES), 'Exif', 'EXIF', 'XMP ', 'ICCP', 'ICC_PROFILE', '<script'];

await runScript(async () => {
  const options = { remote: { type: 'string' }, email: { type: 'string' } } as const;
  const { values } = parseOptions({ args: process.argv.slice(2), options });
  const { SMOKE_PASSWORD: password } = process.env;
  if (!values.remote || (values.email && !password)) throw new UserError(USAGE);
  const problems = await tryApp(values.remote);
  if (values.email && password) problems.push(...(await tryPictures(values.remote, values.email, password)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) throw new UserError(`${problems.length} things are not as they should be.`);
  console.log(`All is as it should be at ${values.remote}.`);
});

/** Uploads the test pictures to a running Worker and checks the stored pictures. @returns the problems found. */
async function tryPictures(origin: string, email: string, password: string): Promise<string[]> {
  return trySending(await signIn(origin, email, password));
}

type Server = { ask: (method: string, path: string, body?: BodyInit, type?: string) => Promise<Response> };

async function signIn(origin: string, email: string, password: string): Promise<Server> {
  const body = new URLSearchParams({ username: email, password });
  const answer = await fetch(new URL('/api/login', origin), { method: 'POST', body });
  if (!answer.ok) throw new UserError(`Signing in answered ${answer.status}.`);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return {
    async ask(method, path, body, type = 'application/json') {
      const headers = { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': type }) };
      const answer = await fetch(new URL(path, origin), { method, headers, body: body ?? null });
      if (!answer.ok) throw new UserError(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
      return answer;
    },
  };
}

/** Creates the posts that the pictures need, and deletes them afterwards. */
async function trySending(server: Server): Promise<string[]> {
  const problems: string[] = [];
  for (let first = 0; first < PICTURES.length; first += PHOTOS_MAX) {
    const postId = await makePost(server);
    try {
      for (const picture of PICTURES.slice(first, first + PHOTOS_MAX))
        problems.push(...(await tryPicture(server, postId, picture)).map((problem) => `${picture.name}: ${problem}`));
    } finally {
      await server.ask('DELETE', `/api/posts/${postId}`);
    }
  }
  return problems;
}

async function makePost({ ask }: Server): Promise<string> {
  const post = { title: 'Jaribio la picha / photo test', location: '-', phone_number: '112', kind: 'other' };
  const { id } = (await (await ask('POST', '/api/posts', JSON.stringify(post))).json()) as { id: string };
  return id;
}

async function tryPicture({ ask }: Server, postId: string, picture: (typeof PICTURES)[number]): Promise<string[]> {
  const sent = readFileSync(join(FOLDER, picture.name));
  const answer = await ask('POST', `/api/posts/${postId}/photos`, sent, picture.type);
  const { url, thumbnail_url, width, height } = (await answer.json()) as Photo;
  const [isSized, isRight] = [{ width, height }, picture].map((size) => `${size.width}×${size.height}`);
  const read = async (path: string) => Buffer.from(await (await ask('GET', path)).arrayBuffer());
  const [photo, thumbnail] = [await read(url), await read(thumbnail_url)];
  const og = await read(url.replace('.webp', '-og.jpg'));
  return [
    ...(isSized === isRight ? [] : [`it is said to be ${isSized}, not ${isRight}`]),
    ...(thumbnail.length <= THUMBNAIL_MAX_BYTES ? [] : [`its thumbnail weighs ${thumbnail.length} bytes`]),
    ...(await look(photo, 'webp', `${width}×${height}`, picture.name)),
    ...(await look(thumbnail, 'webp', '320×240', picture.name)),
    ...(await look(og, 'jpeg', '1200×630', picture.name)),
  ];
}

async function look(file: Buffer, format: string, size: string, name: string): Promise<string[]> {
  // The copy of sharp on which miniflare depends. Loaded here, because only tests with pictures need it.
  const sharp = createRequire(import.meta.resolve('miniflare'))('sharp');
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { format: came, pages = 1 } = await sharp(file).metadata();
  const colourAt = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
  const quarters = readQuarters({ width: info.width, height: info.height, colourAt });
  const found = FORBIDDEN.filter((text) => file.includes(text, 0, 'latin1'));
  return [
    ...(came === format && pages === 1 ? [] : [`it is ${came} of ${pages} pictures, not ${format}`]),
    ...(`${info.width}×${info.height}` === size ? [] : [`it is ${info.width}×${info.height}, not ${size}`]),
    ...(name === 'grey.jpg' || String(quarters) === String(QUARTERS)
      ? []
      : [`it lies wrongly: ${quarters.join(', ')}`]),
    ...found.map((text) => `it still has ${JSON.stringify(text)}`),
  ];
}
