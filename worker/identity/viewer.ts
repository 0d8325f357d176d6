/** An account and its token version: tokens with a lower version are revoked. */
export type AccountVersion = { userId: string; tokenVersion: number };

/**
 * Who is asking, according to their token, and in which session. A session lasts from one sign-in on, however often its
 * token is renewed. The batch that reads for the viewer checks that neither has been revoked (`readAs`).
 */
export type Viewer = AccountVersion & { sessionId: string };

/** A viewer with their session's end, in milliseconds. */
export type SessionViewer = Viewer & { sessionEndsAt: number };
