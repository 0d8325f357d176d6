import { crc32, deflateSync } from 'node:zlib';
import type { Session } from '#contract/accounts.ts';
import type { PostEntry } from '#contract/posts.ts';
import { DEMO_USERS } from './demo-people.ts';
import { DEMO_POSTS } from './demo-posts.ts';

type DemoPhoto = { post: string; alt: string; ground: readonly [number, number, number]; shapes: readonly Shape[] };

/**
 * The demo photos. The photos of one post are in the order in which the post shows them. All are drawings, so that they
 * show nobody's property.
 */
const DEMO_PHOTOS: readonly DemoPhoto[] = [
  {
    post: 'backpack',
    alt: 'Begi la kahawia lenye mfuko wa mbele',
    ground: [226, 214, 190],
    shapes: [
      { box: [210, 60, 40, 120], colour: [70, 42, 24] },
      { box: [390, 60, 40, 120], colour: [70, 42, 24] },
      { box: [180, 120, 280, 310], colour: [122, 76, 44] },
      { disc: [320, 130, 110], colour: [122, 76, 44] },
      { box: [220, 270, 200, 120], colour: [92, 56, 32] },
      { box: [220, 264, 200, 8], colour: [214, 178, 94] },
    ],
  },
  {
    post: 'backpack',
    alt: 'Mkanda wa begi umeshonwa kwa uzi mwekundu',
    ground: [122, 76, 44],
    shapes: [
      { box: [0, 190, 640, 100], colour: [70, 42, 24] },
      { box: [300, 190, 10, 100], colour: [200, 40, 40] },
      { box: [330, 190, 10, 100], colour: [200, 40, 40] },
    ],
  },
  {
    post: 'found Tecno',
    alt: 'A black phone in a blue case, its screen cracked at a corner',
    ground: [233, 233, 228],
    shapes: [
      { box: [210, 30, 220, 420], colour: [38, 84, 170] },
      { box: [222, 42, 196, 396], colour: [18, 18, 22] },
      { box: [232, 70, 176, 340], colour: [44, 48, 58] },
      { disc: [320, 424, 8], colour: [90, 90, 96] },
      { box: [372, 70, 36, 3], colour: [210, 214, 220] },
      { box: [390, 70, 3, 48], colour: [210, 214, 220] },
    ],
  },
  {
    post: 'motorbike keys',
    alt: 'Funguo mbili kwenye pete moja',
    ground: [206, 222, 206],
    shapes: [
      { disc: [320, 140, 70], colour: [150, 150, 156] },
      { disc: [320, 140, 52], colour: [206, 222, 206] },
      { disc: [250, 230, 44], colour: [196, 160, 70] },
      { box: [238, 260, 26, 160], colour: [196, 160, 70] },
      { box: [264, 350, 22, 14], colour: [196, 160, 70] },
      { disc: [390, 230, 44], colour: [128, 130, 138] },
      { box: [378, 260, 26, 160], colour: [128, 130, 138] },
      { box: [404, 370, 22, 14], colour: [128, 130, 138] },
    ],
  },
];

type Colour = readonly [red: number, green: number, blue: number];
/** A box (corner and size) or a disc (centre and radius). Later shapes cover earlier ones. */
type Shape =
  | { box: readonly [x: number, y: number, width: number, height: number]; colour: Colour }
  | { disc: readonly [x: number, y: number, radius: number]; colour: Colour };

const [WIDTH, HEIGHT] = [640, 480];
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Draws shapes on a background of one colour. @returns a PNG of 640 × 480. */
export function drawPicture(ground: Colour, shapes: readonly Shape[]): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const pixels = Array.from(
      { length: WIDTH },
      (__, x) => shapes.findLast((shape) => covers(shape, x, y))?.colour ?? ground,
    );
    // PNG: each row begins with its filter type; 0 is none.
    return Buffer.from([0, ...pixels.flat()]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // PNG: 8 bits per channel, colour type 2 (RGB).
  header.set([8, 2], 8);
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...parts]);
}

function covers(shape: Shape, x: number, y: number): boolean {
  if ('disc' in shape) return Math.hypot(x - shape.disc[0], y - shape.disc[1]) <= shape.disc[2];
  const [left, top, width, height] = shape.box;
  return x >= left && x < left + width && y >= top && y < top + height;
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/**
 * Uploads the photos of the demo posts, signed in as the posts' authors. A direct write to the database is not
 * possible, because only the running Worker can resize pictures.
 */
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
