/** Who asks, as a token says; whether the token was revoked is checked in the batch that reads for them (`readAs`). */
export type Viewer = { userId: string; tokenVersion: number };

/** A viewer by the token of a session: which one, and when it ends, in milliseconds. */
export type SessionViewer = Viewer & { sessionId: string; sessionEndsAt: number };
