import { foldIdentifier } from '#contract/identifiers.ts';
import type { PostInput } from '#contract/posts.ts';
import type { Config } from '#worker/env.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';

/** Of IDENTIFIER_KEY. A digest begins with it, so that one of another key is told from one that does not agree. */
const KEY_VERSION = '1';

/** What alone is kept of a serial, document or plate number: enough to tell whether two are the same. */
export function digestIdentifier(config: Config, typed: string): string {
  return `${KEY_VERSION}.${fingerprint(config.keys.identifier, 'identifier', foldIdentifier(typed))}`;
}

/** As they are stored; null for none, undefined where the author says nothing of them. */
export function digestIdentifiers(config: Config, { identifiers }: Pick<PostInput, 'identifiers'>) {
  if (identifiers === undefined) return undefined;
  const digests = [...new Set(identifiers?.map((typed) => digestIdentifier(config, typed)))].sort();
  return digests.length === 0 ? null : JSON.stringify(digests);
}
