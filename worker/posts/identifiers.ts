import { foldIdentifier } from '#contract/identifiers.ts';
import type { PostInput } from '#contract/posts.ts';
import type { Config } from '#worker/env.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

/** The version of IDENTIFIER_KEY. Digests begin with it, so that those made with different keys can be told apart. */
const KEY_VERSION = '1';

/** The digest of a serial, document or plate number. Only this is stored: enough to tell whether two are equal. */
export function digestIdentifier(config: Config, typed: string): string {
  return `${KEY_VERSION}.${fingerprint(config.keys.identifier, 'identifier', foldIdentifier(typed))}`;
}

/** The identifiers as stored: null for none, undefined if the request leaves them as they are. */
export function digestIdentifiers(config: Config, { identifiers }: Pick<PostInput, 'identifiers'>) {
  if (identifiers === undefined) return undefined;
  const digests = [...new Set(identifiers?.map((typed) => digestIdentifier(config, typed)))].sort();
  return digests.length === 0 ? null : JSON.stringify(digests);
}
