/** What a client has sent. It knows the outcome or, if the Worker died before answering, does not know it yet. */
export type Wish = {
  kind: 'post' | 'claim' | 'accept' | 'delete' | 'found' | 'photo' | 'delete photo';
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  token: string;
  /** As JSON, or a picture. */
  body?: Record<string, unknown> | Uint8Array<ArrayBuffer>;
  /** By which a repetition is known. */
  key: string;
  /** Takes the answer, once there is one. */
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
/** Two posts about one thing; the first one's author is to be told of the second. */
export type KnownPair = { lostId: string; foundId: string; ownerId: string };

/** What was acknowledged to clients, and what they were told. */
export class Ledger {
  readonly posts = new Map<string, KnownPost>();
  readonly claims: KnownClaim[] = [];
  readonly photos: KnownPhoto[] = [];
  readonly pairs: KnownPair[] = [];
  /** Asked for, and cut off before the answer: each is asked again after the restart, as an app does. */
  readonly doubts = new Set<Wish>();
  /** In which life of the Worker it was known for sure that it has taken the acknowledgement of a notice. */
  readonly confirmed = new Map<string, number>();
  readonly problems: string[] = [];
  acknowledged = 0;
  life = 0;

  /** What is being changed, or may have been: posts, claims and photos by their ids. */
  listBusy(): ReadonlySet<string> {
    return new Set([...this.doubts].flatMap(({ path }) => path.split('/').slice(2)));
  }

  /** The post is there and still looked for, and nothing about that is in doubt. */
  isOpen(postId: string): boolean {
    const post = this.posts.get(postId);
    return post !== undefined && !post.isGone && !post.isFound && !this.listBusy().has(postId);
  }

  /** Something tells a person of the notice. */
  noteTold(by: 'socket' | 'push', noticeId: string): void {
    const confirmedIn = this.confirmed.get(noticeId);
    if (confirmedIn !== undefined && confirmedIn < this.life) {
      this.problems.push(`the ${by} told of ${noticeId} in life ${this.life}, acknowledged in life ${confirmedIn}`);
    }
  }
}
