/** An account, and which of its tokens are meant: those of a lower version are dead. */
export type AccountVersion = { userId: string; tokenVersion: number };

/**
 * Who asks, as a token says, and in which session: one a sign-in, however often its token is renewed. Whether the token
 * was revoked, or the session ended, is checked in the batch that reads for them (`readAs`).
 */
export type Viewer = AccountVersion & { sessionId: string };

/** A viewer by a token of a session: when it ends, in milliseconds, and whether it is from before sessions had devices. */
export type SessionViewer = Viewer & { sessionEndsAt: number; hasDevice: boolean };
