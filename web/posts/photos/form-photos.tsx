import type { Post } from '#contract/posts.ts';
import '#web/ui/photos.css';
import { DraftPhotos } from './draft-photos.tsx';
import { SavedPhotos } from './saved-photos.tsx';
import type { Choice } from './use-taking.ts';

type Props = { place: string; post: Post | null } & Choice;

/** The photos of a post that is being written, which follow it, or of one that is there, which change at once. */
export function FormPhotos({ place, post, ...choice }: Props) {
  return post ? <SavedPhotos post={post} {...choice} /> : <DraftPhotos place={place} {...choice} />;
}
