import { guessIsOwner } from './guess-owner.ts';
import { isAboutPhone } from './is-about-phone.ts';
import type { PostFormValues } from './post-draft.ts';
import { proposesClaim } from './proposes-claim.ts';

/**
 * What the writer has not said, as far as the rest tells it: who they are from the title, and their number from their
 * account. Who lost a phone is not reached on it, nor is somebody else for whom they post. Of what many will say is
 * theirs, a finder is spared the calls.
 */
export function completePost(typed: PostFormValues, accountNumber: string | null): PostFormValues {
  const post = { ...typed, is_owner: typed.is_owner ?? guessIsOwner(typed.title) };
  const number = isOfLostPhone(post) || typed.on_behalf ? null : accountNumber;
  const proposed = proposesClaim(`${typed.title}\n${typed.description}`) ? 'claim' : 'number';
  return { ...post, phone_number: typed.phone_number ?? number ?? '', contact: typed.contact ?? proposed };
}

export function isOfLostPhone({ is_owner, title, description }: PostFormValues): boolean {
  return is_owner === true && isAboutPhone(`${title}\n${description}`);
}
