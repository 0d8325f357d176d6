/** Every URL path of the web app: those that docs/product.md S1 lists, and further ones. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  verifyCode: '/verify-code',
  communities: '/communities',
  /** The user finds communities and asks to join one. */
  findCommunity: '/communities/find',
  /** A community as its members see it. */
  community: '/communities/:id',
  /** An office posts the items in its lost-property cupboard, one after the other. */
  desk: '/communities/:id/desk',
  /** A community's administration, for its admins. */
  communityDetails: '/community-details/:id',
  myPosts: '/my-posts',
  createPost: '/create-post',
  viewPosts: '/view-posts',
  post: '/posts/:id',
  contact: '/posts/:id/contact',
  /** A poster to print. */
  poster: '/posts/:id/poster',
  /** The form to claim the thing in a finder's post ("This is mine"). */
  claimPost: '/posts/:id/claim',
  claims: '/claims',
  claim: '/claims/:id',
  notices: '/notices',
  account: '/account',
  /** The user proves their WhatsApp number. */
  proveNumber: '/prove-number',
  /** Opened from the e-mail that proves an e-mail address. The token is after the #. */
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

/** Returns the path at which a community's admins see its members and join requests. */
export function communityMembersPath(communityId: string): string {
  return `${runCommunityPath(communityId)}?tab=members`;
}

export function deskPath(communityId: string): string {
  return paths.desk.replace(':id', encodeURIComponent(communityId));
}

export function postPath(postId: string): string {
  return paths.post.replace(':id', encodeURIComponent(postId));
}

/** Returns the path of the form with which a finder answers an owner's post ("I found this"). */
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
