export const POSTED_BY = ['owner', 'finder'] as const;
export type PostedBy = (typeof POSTED_BY)[number];

/** What a post is about. Not to be taken for whether an owner or a finder posts. */
export const POST_KINDS = ['document', 'electronics', 'bag', 'key', 'wear', 'animal', 'vehicle', 'other'] as const;
export type PostKind = (typeof POST_KINDS)[number];
