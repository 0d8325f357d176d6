import { hasPhotos } from './photos-here.ts';

/** Does it with the photos that wait, where any do. */
export async function withPhotos(act: (photos: typeof import('./waiting-photos.ts')) => Promise<void>): Promise<void> {
  if (hasPhotos()) await act(await import('./waiting-photos.ts'));
}
