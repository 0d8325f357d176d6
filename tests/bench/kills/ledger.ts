/** A request by a client. Its outcome is unknown if the Worker died before responding. */
export type Wish = {
  kind: 'post' | 'claim' | 'accept' | 'delete' | 'found' | 'photo' | 'delete photo';
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  token: string;
  /** JSON, or a picture. */
  body?: Record<string, unknown> | Uint8Array<ArrayBuffer>;
  /** The key that identifies a repeated request. */
  key: string;
  /** Receives the response, once there is one. */
  onAnswer(answer: { status: number; body: { id?: string } }): void;
};

export type KnownPost = {
  id: string;
  title: string;
  authorId: string;
  isFound: boolean;
  isGone: boolean;
};
export type KnownClaim = { id: string; postId: string; claimantId: string; isAccepted: boolean };
export type KnownPhoto = { id: string; postId: string; isGone: boolean };
/** Two posts about one thing. The first one's author must be notified of the second. */
export type KnownPair = { lostId: string; foundId: string; ownerId: string };

/** Everything that was acknowledged to clients, and every notice they received. */
export class Ledger {
  readonly posts = new Map<string, KnownPost>();
  readonly claims: KnownClaim[] = [];
  readonly photos: KnownPhoto[] = [];
  readonly pairs: KnownPair[] = [];
  /** Requests without a response. Each is repeated after the restart, as an app does. */
  readonly doubts = new Set<Wish>();
  /** The life of the Worker in which an acknowledgement of a notice was certainly stored. */
  readonly confirmed = new Map<string, number>();
  readonly problems: string[] = [];
  acknowledged = 0;
  life = 0;

  /** The ids of posts, claims and photos that are being changed, or may have been. */
  listBusy(): ReadonlySet<string> {
    return new Set([...this.doubts].flatMap(({ path }) => path.split('/').slice(2)));
  }

  /** Whether the post certainly exists and is open. */
  isOpen(postId: string): boolean {
    const post = this.posts.get(postId);
    return post !== undefined && !post.isGone && !post.isFound && !this.listBusy().has(postId);
  }

  /** Records that a client received the notice. */
  noteTold(by: 'socket' | 'push', noticeId: string): void {
    const confirmedIn = this.confirmed.get(noticeId);
    if (confirmedIn !== undefined && confirmedIn < this.life) {
      this.problems.push(`the ${by} told of ${noticeId} in life ${this.life}, acknowledged in life ${confirmedIn}`);
    }
  }
}
