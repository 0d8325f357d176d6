import type admin from '#web/locales/en/admin.json';
import type claims from '#web/locales/en/claims.json';
import type community from '#web/locales/en/community.json';
import type ends from '#web/locales/en/ends.json';
import type filters from '#web/locales/en/filters.json';
import type { firstResources } from '#web/locales/en/first.ts';
import type { resources } from '#web/locales/en/index.ts';
import type photos from '#web/locales/en/photos.json';
import type push from '#web/locales/en/push.json';
import type settings from '#web/locales/en/settings.json';
import type sharing from '#web/locales/en/sharing.json';
import type things from '#web/locales/en/things.json';

/** Every text, by namespace. Namespaces that few visits need are loaded with the screens that show them. */
type Texts = typeof firstResources &
  typeof resources & {
    admin: typeof admin;
    claims: typeof claims;
    community: typeof community;
    ends: typeof ends;
    filters: typeof filters;
    photos: typeof photos;
    push: typeof push;
    settings: typeof settings;
    sharing: typeof sharing;
    things: typeof things;
  };

export type Namespace = keyof Texts;

/** `found_one` and `found_other` are also reached as `found`, with a count. */
type WithStem<Key extends string> = Key extends `${infer Stem}_${'zero' | 'one' | 'other'}` ? Stem | Key : Key;

type KeysIn<Part> = {
  [Key in keyof Part & string]: Part[Key] extends string ? WithStem<Key> : `${Key}.${KeysIn<Part[Key]>}`;
}[keyof Part & string];

/** A key within its namespace: `title`, or `queue.title` inside a group. */
export type TextKey<In extends Namespace> = KeysIn<Texts[In]>;
/** A key with its namespace: `posts:title`. */
export type FullKey<In extends Namespace = Namespace> = In extends Namespace ? `${In}:${TextKey<In>}` : never;
