import { guessIsOwner } from './guess-owner.ts';
import type { PostFormValues } from './post-draft.ts';

/** What the writer has not said, as far as the rest tells it: who they are from the title. */
export function completePost(typed: PostFormValues): PostFormValues {
  return { ...typed, is_owner: typed.is_owner ?? guessIsOwner(typed.title) };
}
