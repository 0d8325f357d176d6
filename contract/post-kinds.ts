export const POSTED_BY = ['owner', 'finder'] as const;
export type PostedBy = (typeof POSTED_BY)[number];

/** The kind of thing that a post is about; not to be confused with `POSTED_BY`. */
export const POST_KINDS = ['document', 'electronics', 'bag', 'key', 'wear', 'animal', 'vehicle', 'other'] as const;
export type PostKind = (typeof POST_KINDS)[number];
