import type { PostKind } from '#contract/posts.ts';

type Text = { title: string; body: string | Record<PostKind, string> };

/** A text by type of notice, and one for the types that have none of their own. */
export type PushTexts = { fallback: Text } & Partial<Record<string, Text>>;
