/** Every address of the web app, those of docs/product.md S1 first. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  verifyCode: '/verify-code',
  communities: '/communities',
  /** Where whoever is in none of them finds one, and asks to be let in. */
  findCommunity: '/communities/find',
  /** A community as its members see it. */
  community: '/communities/:id',
  /** An office posts what lies in its cupboard, one thing after the other. */
  desk: '/communities/:id/desk',
  /** A community as its admins run it. */
  communityDetails: '/community-details/:id',
  myPosts: '/my-posts',
  createPost: '/create-post',
  viewPosts: '/view-posts',
  post: '/posts/:id',
  contact: '/posts/:id/contact',
  /** To print and hang up. */
  poster: '/posts/:id/poster',
  /** "This is mine" on a finder's post. */
  claimPost: '/posts/:id/claim',
  claims: '/claims',
  claim: '/claims/:id',
  notices: '/notices',
  account: '/account',
  /** Where a person shows that they can use their WhatsApp number. */
  proveNumber: '/prove-number',
  /** Where the link of an e-mail leads that proves the e-mail; what proves it stands behind the #. */
  confirmEmail: '/confirm-email',
  admin: '/admin',
  privacy: '/privacy',
  terms: '/terms',
} as const;

export function communityPath(communityId: string): string {
  return paths.community.replace(':id', encodeURIComponent(communityId));
}

export function runCommunityPath(communityId: string): string {
  return paths.communityDetails.replace(':id', encodeURIComponent(communityId));
}

/** Its members and who asks to become one, for its admins. */
export function communityMembersPath(communityId: string): string {
  return `${runCommunityPath(communityId)}?tab=members`;
}

export function deskPath(communityId: string): string {
  return paths.desk.replace(':id', encodeURIComponent(communityId));
}

export function postPath(postId: string): string {
  return paths.post.replace(':id', encodeURIComponent(postId));
}

/** The form for whoever has found what that post looks for. */
export function answerPath(postId: string): string {
  return `${paths.createPost}?answers=${encodeURIComponent(postId)}`;
}

export function contactPath(postId: string): string {
  return paths.contact.replace(':id', encodeURIComponent(postId));
}

export function posterPath(postId: string): string {
  return paths.poster.replace(':id', encodeURIComponent(postId));
}

export function claimPostPath(postId: string): string {
  return paths.claimPost.replace(':id', encodeURIComponent(postId));
}

export function claimPath(claimId: string): string {
  return paths.claim.replace(':id', encodeURIComponent(claimId));
}
