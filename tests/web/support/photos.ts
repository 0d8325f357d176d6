import { HttpResponse, http } from 'msw';
import type { Photo } from '#contract/photos.ts';
import type { WaitingPhoto } from '#web/offline/photo-queue.ts';
import { server } from './setup.ts';

let photos = 0;

export function aPhoto(overrides: Partial<Photo> = {}): Photo {
  const id = `photo-${++photos}`;
  const address = `/photos/${id}`;
  return { id, url: address, thumbnail_url: `${address}-small`, width: 1280, height: 960, alt: '', ...overrides };
}

export type SentPhoto = { postId: string; alt: string; key: string | null; type: string | null };

/** Accepts uploads, or answers them with these responses. @returns the uploads. */
export function serveUploads(...answers: (() => Response | Promise<Response>)[]): SentPhoto[] {
  const sent: SentPhoto[] = [];
  server.use(
    http.post('*/api/posts/:id/photos', async ({ request, params }) => {
      const answer = answers[sent.length];
      sent.push({
        postId: String(params.id),
        alt: new URL(request.url).searchParams.get('alt') ?? '',
        key: request.headers.get('Idempotency-Key'),
        type: request.headers.get('Content-Type'),
      });
      return ((await answer?.()) ?? HttpResponse.json(aPhoto(), { status: 201 })) as never;
    }),
  );
  return sent;
}

export function aPicture(name = 'picha.jpg'): File {
  return new File(['a picture'], name, { type: 'image/jpeg' });
}

/** A photo that waits on this phone, last in order. */
export function aWaitingPhoto(overrides: Partial<WaitingPhoto> = {}): WaitingPhoto {
  const order = ++photos;
  const picture = new Blob(['a picture'], { type: 'image/jpeg' });
  const photo = { id: `waiting-${order}`, place: 'post:the-post', userId: 'a-user', order, alt: '', picture };
  return { ...photo, refusal: null, ...overrides };
}
