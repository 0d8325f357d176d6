import type { PostKind } from '#contract/posts.ts';

type Text = { title: string; body: string | Record<PostKind, string> };

/** A text per type of notice, and one for the types without. */
export type PushTexts = { fallback: Text } & Partial<Record<string, Text>>;
