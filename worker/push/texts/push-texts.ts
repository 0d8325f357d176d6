import type { PostKind } from '#contract/posts.ts';

type Text = { title: string; body: string | Record<PostKind, string> };

/** A fixed text per type of notice, and one for the types without (docs/product.md V22). */
export type PushTexts = { fallback: Text } & Partial<Record<string, Text>>;
