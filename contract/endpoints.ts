import * as z from 'zod/mini';
import {
  deviceSchema,
  exportSchema,
  meChangeSchema,
  meSchema,
  passwordAgainSchema,
  passwordChangeSchema,
  registeredUserSchema,
  registrationSchema,
  sessionSchema,
  signInSchema,
} from './accounts.ts';
import {
  adminCommunitySchema,
  adminDaySchema,
  adminFoundSchema,
  adminPersonSchema,
  adminPostSchema,
  adminSearchQuerySchema,
  clientErrorSchema,
  feedbackEntrySchema,
  feedbackInputSchema,
  feedbackListQuerySchema,
  healthSchema,
  platformAdminSchema,
  switchesSchema,
} from './admin.ts';
import {
  emailChangeSchema,
  emailConfirmationSchema,
  endedPushSubscriptionSchema,
  incomingMessageInputSchema,
  localEmailQuerySchema,
  localEmailSchema,
  localWhatsappMessageQuerySchema,
  localWhatsappMessageSchema,
  noticeSettingsSchema,
  pushKeySchema,
  pushSubscriptionSchema,
} from './channels.ts';
import {
  blockSchema,
  claimInputSchema,
  claimListQuerySchema,
  claimSchema,
  claimTextInputSchema,
  handOverInputSchema,
} from './claims.ts';
import {
  adminCommunityQuerySchema,
  appointmentSchema,
  approvalInputSchema,
  approvalSchema,
  approvedCommunitySchema,
  approvedListQuerySchema,
  closingSchema,
  communityChangeSchema,
  communityInputSchema,
  communityListQuerySchema,
  communityMemberSchema,
  communityPageSchema,
  communityQrCodeSchema,
  communitySchema,
  communityStatsSchema,
  createdCommunitySchema,
  joinedCommunitySchema,
  joinInputSchema,
  joinRequestInputSchema,
  joinRequestSchema,
  madeJoinRequestSchema,
  memberListQuerySchema,
  renewedCodeSchema,
  roleInputSchema,
} from './communities.ts';
import { pageQuerySchema } from './fields.ts';
import { realtimeTicketSchema } from './live-messages.ts';
import {
  logEntrySchema,
  logQuerySchema,
  madeReportSchema,
  moderationReasonSchema,
  reportedPostQuerySchema,
  reportedPostSchema,
  reportInputSchema,
  restorationSchema,
} from './moderation.ts';
import { noticeListQuerySchema, noticeListSchema, readNoticesSchema, unreadCountSchema } from './notices.ts';
import {
  newPasskeySchema,
  passkeyOptionsSchema,
  passkeySchema,
  steppedUpSchema,
  stepUpOptionsSchema,
  stepUpSchema,
} from './passkeys.ts';
import { newPhotoQuerySchema, PHOTO_TYPES, photoChangeSchema, photoSchema } from './photos.ts';
import {
  identifierFoundSchema,
  identifierLookupSchema,
  matchCountsSchema,
  newPostSchema,
  outcomeInputSchema,
  postEntrySchema,
  postInputSchema,
  postListQuerySchema,
  postMatchSchema,
  postSchema,
} from './posts.ts';
import {
  numberChangeSchema,
  numberConfirmationSchema,
  numberProofInputSchema,
  numberProofSchema,
  resetPasswordSchema,
  resetRequestSchema,
  startedProofSchema,
  successSchema,
  verifyCodeSchema,
} from './recovery.ts';

export type Endpoint = {
  /** A sentence about the endpoint, for the documentation of the API. */
  summary: string;
  /**
   * Who may call the endpoint. `optional_token`: anyone may call it, and the response has more data for a signed-in
   * user.
   */
  needs: 'nothing' | 'optional_token' | 'token' | 'platform_admin';
  status: 200 | 201 | 202 | 204;
  /** A second kind of successful response. `summary` says when the endpoint returns it. */
  otherwise?: { status: 202; answer: z.ZodMiniType };
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** Whether the body is a form, not JSON. */
  isForm?: true;
  /** The accepted media types of a body that is a file. */
  fileTypes?: readonly string[];
  /** The schema of the response's body. Absent if the response has no body. */
  answer?: z.ZodMiniType;
  /** Whether the response is one page of a list. Its `Link` header then contains the URL of the next page. */
  isPaged?: true;
};

/**
 * Every endpoint, by method and path below `/api`, except Meta's webhook. Tests validate the Worker's responses against
 * this table, the web app takes its types from it, and the build generates `/api/openapi.json` from it.
 */
export const ENDPOINTS = {
  'POST /users': {
    summary: 'Registers an account.',
    needs: 'nothing',
    status: 201,
    body: registrationSchema,
    answer: registeredUserSchema,
  },
  'POST /login': {
    summary: 'Signs in. The username is the e-mail.',
    needs: 'nothing',
    status: 200,
    body: signInSchema,
    isForm: true,
    answer: sessionSchema,
  },
  'GET /me': { summary: "The caller's own account.", needs: 'token', status: 200, answer: meSchema },
  'PATCH /me': {
    summary: "Changes the caller's name or the language of messages to them.",
    needs: 'token',
    status: 200,
    body: meChangeSchema,
    answer: meSchema,
  },
  'POST /me/password': {
    summary: 'Sets a new password and signs out every other device. The caller continues with the new token.',
    needs: 'token',
    status: 200,
    body: passwordChangeSchema,
    answer: sessionSchema,
  },
  'POST /me/sign-out-everywhere': {
    summary: 'Signs out every other device. The caller continues with the new token.',
    needs: 'token',
    status: 200,
    answer: sessionSchema,
  },
  'POST /me/token': {
    summary: 'A new token for the same device, for 30 days.',
    needs: 'token',
    status: 200,
    answer: sessionSchema,
  },
  'GET /me/devices': {
    summary: "The caller's signed-in devices, most recently used first.",
    needs: 'token',
    status: 200,
    answer: z.array(deviceSchema),
  },
  'DELETE /me/devices/:id': {
    summary: 'Signs a device out, which revokes its tokens. The id `current` is the device that asks.',
    needs: 'token',
    status: 204,
  },
  'POST /me/export': {
    summary: "All of the caller's stored data, as a file; three times a day.",
    needs: 'token',
    status: 200,
    body: passwordAgainSchema,
    answer: exportSchema,
  },
  'DELETE /me': {
    summary: 'Deletes the account with all of its data; after 30 days if it is suspended or has undecided reports.',
    needs: 'token',
    status: 204,
    body: passwordAgainSchema,
  },
  'POST /me/whatsapp-number': {
    summary: "Sends a code to the caller's future number.",
    needs: 'token',
    status: 200,
    body: numberChangeSchema,
    answer: successSchema,
  },
  'POST /me/whatsapp-number/confirm': {
    summary: "Changes the caller's number, with the code or a proof.",
    needs: 'token',
    status: 200,
    body: numberConfirmationSchema,
    answer: meSchema,
  },

  'POST /me/email': {
    summary: "Sends a link to the caller's future e-mail, or to the current one to prove it.",
    needs: 'token',
    status: 200,
    body: emailChangeSchema,
    answer: successSchema,
  },
  'POST /auth/confirm-email': {
    summary: 'Confirms the e-mail that a link was sent to. A link works once.',
    needs: 'nothing',
    status: 204,
    body: emailConfirmationSchema,
  },

  'POST /auth/number-proofs': {
    summary: 'Starts proving a number by a message that its holder sends us.',
    needs: 'nothing',
    status: 201,
    body: numberProofInputSchema,
    answer: startedProofSchema,
  },
  'GET /auth/number-proofs/:id': {
    summary: 'The state of a proof, for the client that started it and sends its secret in the header X-Proof-Secret.',
    needs: 'nothing',
    status: 200,
    answer: numberProofSchema,
  },
  'POST /auth/prove-number': {
    summary: 'Sends a code to the number over WhatsApp, for registration.',
    needs: 'nothing',
    status: 200,
    body: numberProofInputSchema,
    answer: successSchema,
  },

  'POST /auth/request-password-reset': {
    summary: 'Sends a code to the number over WhatsApp, if it has an account; the response is the same if not.',
    needs: 'nothing',
    status: 200,
    body: resetRequestSchema,
    answer: successSchema,
  },
  'POST /auth/verify-code': {
    summary: 'Checks the code.',
    needs: 'nothing',
    status: 200,
    body: verifyCodeSchema,
    answer: successSchema,
  },
  'POST /auth/reset-password': {
    summary: 'Sets a new password with the code, which works once.',
    needs: 'nothing',
    status: 200,
    body: resetPasswordSchema,
    answer: successSchema,
  },

  'GET /posts': {
    summary: 'The posts that the caller may see, newest first; with a search, its three parts one after the other.',
    needs: 'optional_token',
    status: 200,
    query: postListQuerySchema,
    answer: z.array(postEntrySchema),
    isPaged: true,
  },
  'GET /posts/by-owner': {
    summary: "The caller's own posts, newest first.",
    needs: 'token',
    status: 200,
    query: pageQuerySchema,
    answer: z.array(postEntrySchema),
    isPaged: true,
  },
  'GET /posts/:id': { summary: 'One post.', needs: 'optional_token', status: 200, answer: postSchema },
  'POST /posts': {
    summary: 'Creates a post. With an Idempotency-Key it can safely be repeated for 24 hours.',
    needs: 'token',
    status: 201,
    body: newPostSchema,
    answer: postSchema,
  },
  'PUT /posts/:id': {
    summary: "Changes one of the caller's posts.",
    needs: 'token',
    status: 200,
    body: postInputSchema,
    answer: postSchema,
  },
  'DELETE /posts/:id': { summary: "Deletes one of the caller's posts.", needs: 'token', status: 204 },
  'PATCH /posts/:id/found': {
    summary: "Marks one of the caller's posts as found.",
    needs: 'token',
    status: 200,
    answer: postSchema,
  },
  'DELETE /posts/:id/found': {
    summary: 'Undoes the marking, within ten minutes.',
    needs: 'token',
    status: 200,
    answer: postSchema,
  },
  'PUT /posts/:id/outcome': {
    summary: "Ends one of the caller's posts with an outcome: it is returned, or closed.",
    needs: 'token',
    status: 200,
    body: outcomeInputSchema,
    answer: postSchema,
  },
  'POST /posts/:id/wake': {
    summary: 'Confirms that the caller is still looking: a resting or closed post is open again.',
    needs: 'token',
    status: 200,
    answer: postSchema,
  },
  'POST /posts/:id/photos': {
    summary: "Adds a photo to one of the caller's posts. The body is the picture itself.",
    needs: 'token',
    status: 201,
    query: newPhotoQuerySchema,
    fileTypes: PHOTO_TYPES,
    answer: photoSchema,
  },
  'PATCH /posts/:id/photos/:photoId': {
    summary: "Changes a photo's description or position.",
    needs: 'token',
    status: 200,
    body: photoChangeSchema,
    answer: photoSchema,
  },
  'DELETE /posts/:id/photos/:photoId': {
    summary: "Deletes a photo of one of the caller's posts.",
    needs: 'token',
    status: 204,
  },
  'GET /posts/:id/matches': {
    summary: "The open posts of the other side that match one of the caller's: sure ones first, best first.",
    needs: 'token',
    status: 200,
    answer: z.array(postMatchSchema),
  },
  'POST /posts/:id/block-author': {
    summary: "Blocks the post's author: the two no longer see each other's posts. Nobody is notified.",
    needs: 'token',
    status: 204,
  },
  'GET /me/blocks': {
    summary: 'The people that the caller has blocked, most recent first.',
    needs: 'token',
    status: 200,
    answer: z.array(blockSchema),
  },
  'DELETE /me/blocks/:id': { summary: 'Unblocks a person.', needs: 'token', status: 204 },
  'POST /posts/:id/reports': {
    summary: "Reports somebody else's post, once. With an Idempotency-Key it can safely be repeated for 24 hours.",
    needs: 'token',
    status: 201,
    body: reportInputSchema,
    answer: madeReportSchema,
  },
  'POST /identifiers/lookup': {
    summary: 'Whether an open, public found post has this serial, document or plate number.',
    needs: 'token',
    status: 200,
    body: identifierLookupSchema,
    answer: identifierFoundSchema,
  },
  'GET /matches/counts': {
    summary: "The number of listed matches for each of the caller's open posts.",
    needs: 'token',
    status: 200,
    answer: matchCountsSchema,
  },
  'POST /matches/:pairId/confirm': {
    summary: 'Confirms a match ("it is this one"): the author of the other post is notified, once.',
    needs: 'token',
    status: 204,
  },
  'POST /matches/:pairId/dismiss': {
    summary: 'Dismisses a match ("not this one"): the pair is not shown to the caller again.',
    needs: 'token',
    status: 204,
  },

  'POST /posts/:id/claims': {
    summary: "Claims the thing of somebody else's open finder's post. Supports Idempotency-Key.",
    needs: 'token',
    status: 201,
    body: claimInputSchema,
    answer: claimSchema,
  },
  'GET /claims': {
    summary: "The caller's claims on either side, last changed first.",
    needs: 'token',
    status: 200,
    query: claimListQuerySchema,
    answer: z.array(claimSchema),
    isPaged: true,
  },
  'GET /claims/:id': { summary: 'One claim, for its two people.', needs: 'token', status: 200, answer: claimSchema },
  'POST /claims/:id/ask': {
    summary: 'The finder asks another question.',
    needs: 'token',
    status: 200,
    body: claimTextInputSchema,
    answer: claimSchema,
  },
  'POST /claims/:id/reply': {
    summary: 'The claimant replies to the question.',
    needs: 'token',
    status: 200,
    body: claimTextInputSchema,
    answer: claimSchema,
  },
  'POST /claims/:id/accept': {
    summary: "The finder accepts the claim: each sees the other's number.",
    needs: 'token',
    status: 200,
    answer: claimSchema,
  },
  'POST /claims/:id/decline': {
    summary: 'The finder declines the claim: takes effect after ten minutes, or at once if it was accepted.',
    needs: 'token',
    status: 200,
    answer: claimSchema,
  },
  'POST /claims/:id/undo': {
    summary: 'The finder undoes a decline before it takes effect.',
    needs: 'token',
    status: 200,
    answer: claimSchema,
  },
  'POST /claims/:id/withdraw': {
    summary: 'The claimant withdraws the claim.',
    needs: 'token',
    status: 200,
    answer: claimSchema,
  },
  'POST /claims/:id/hand-over': {
    summary: "The finder enters the claimant's code: the thing is handed over, and the post returned.",
    needs: 'token',
    status: 200,
    body: handOverInputSchema,
    answer: claimSchema,
  },
  'POST /claims/:id/reports': {
    summary: 'Reports a claim to the admins, once. Supports Idempotency-Key.',
    needs: 'token',
    status: 201,
    body: reportInputSchema,
    answer: madeReportSchema,
  },
  'POST /claims/:id/block': {
    summary: 'Blocks the other person of a claim, which closes it. Nobody is notified.',
    needs: 'token',
    status: 204,
  },

  'GET /communities': {
    summary: "The caller's communities.",
    needs: 'token',
    status: 200,
    query: communityListQuerySchema,
    answer: z.array(communitySchema),
  },
  'GET /communities/approved': {
    summary: 'All approved communities.',
    needs: 'token',
    status: 200,
    query: approvedListQuerySchema,
    answer: z.array(approvedCommunitySchema),
    isPaged: true,
  },
  'POST /communities': {
    summary: 'Creates a community, which waits for approval.',
    needs: 'token',
    status: 201,
    body: communityInputSchema,
    answer: createdCommunitySchema,
  },
  'POST /communities/join': {
    summary: 'Joins a community with an access code or a join link.',
    needs: 'token',
    status: 200,
    body: joinInputSchema,
    answer: joinedCommunitySchema,
  },
  'GET /communities/:id': {
    summary: 'One community, for members.',
    needs: 'token',
    status: 200,
    answer: communityPageSchema,
  },
  'PATCH /communities/:id': {
    summary: 'Changes a community, for its admins. A new name of an approved one needs approval.',
    needs: 'token',
    status: 200,
    body: communityChangeSchema,
    answer: communitySchema,
  },
  'DELETE /communities/:id': {
    summary: 'Closes a community in seven days, for its admins. Nobody can join any more, and members are notified.',
    needs: 'token',
    status: 202,
    answer: closingSchema,
  },
  'POST /communities/:id/reopen': {
    summary: 'Cancels the closing, for its admins. Members are notified.',
    needs: 'token',
    status: 200,
    answer: communitySchema,
  },
  'POST /communities/:id/access-code': {
    summary: 'Replaces the access code, for its admins. The previous one stops working.',
    needs: 'token',
    status: 200,
    answer: renewedCodeSchema,
  },
  'GET /communities/:id/stats': {
    summary: 'Its statistics, for its admins.',
    needs: 'token',
    status: 200,
    answer: communityStatsSchema,
  },
  'GET /communities/:id/members': {
    summary: 'Its members in the order of joining, for its admins.',
    needs: 'token',
    status: 200,
    query: memberListQuerySchema,
    answer: z.array(communityMemberSchema),
    isPaged: true,
  },
  'PUT /communities/:id/members/:userId/role': {
    summary: "Changes a member's role, for its admins, except the last admin's. `me` is the caller.",
    needs: 'token',
    status: 200,
    body: roleInputSchema,
    answer: communityMemberSchema,
  },
  'DELETE /communities/:id/members/:userId': {
    summary: 'Removes a member, for its admins; `me` leaves. If the only member leaves it closes, which is the 202.',
    needs: 'token',
    status: 204,
    otherwise: { status: 202, answer: closingSchema },
  },
  'POST /communities/:id/join-requests': {
    summary: 'Asks to join a listed community. Supports Idempotency-Key.',
    needs: 'token',
    status: 201,
    body: joinRequestInputSchema,
    answer: madeJoinRequestSchema,
  },
  'GET /communities/:id/join-requests': {
    summary: 'The join requests, longest waiting first, for its admins.',
    needs: 'token',
    status: 200,
    query: memberListQuerySchema,
    answer: z.array(joinRequestSchema),
    isPaged: true,
  },
  'POST /communities/:id/join-requests/:userId/accept': {
    summary: 'Accepts a join request, for its admins. The person is notified.',
    needs: 'token',
    status: 204,
  },
  'POST /communities/:id/join-requests/:userId/decline': {
    summary: 'Declines a join request, for its admins. The person is not notified.',
    needs: 'token',
    status: 204,
  },
  'GET /communities/:id/qrcode/base64': {
    summary: 'The join link as a QR code, for its admins.',
    needs: 'token',
    status: 200,
    answer: communityQrCodeSchema,
  },

  'POST /communities/:id/posts/:postId/hide': {
    summary: "Hides one of the community's posts, for its admins.",
    needs: 'token',
    status: 204,
    body: moderationReasonSchema,
  },
  'POST /communities/:id/posts/:postId/restore': {
    summary: "Restores a post that the community's admins have hidden. The reason is optional.",
    needs: 'token',
    status: 204,
    body: restorationSchema,
  },

  'GET /notices': {
    summary: "The caller's notices, newest first.",
    needs: 'token',
    status: 200,
    query: noticeListQuerySchema,
    answer: noticeListSchema,
    isPaged: true,
  },
  'POST /notices/read': {
    summary: 'Marks notices as read.',
    needs: 'token',
    status: 200,
    body: readNoticesSchema,
    answer: unreadCountSchema,
  },
  'POST /notices/:id/dismiss': { summary: 'Dismisses the match of a notice.', needs: 'token', status: 204 },
  'GET /me/notice-settings': {
    summary: 'How the caller wants to be notified when no page is open.',
    needs: 'token',
    status: 200,
    answer: noticeSettingsSchema,
  },
  'PUT /me/notice-settings': {
    summary: 'Replaces the settings, with immediate effect.',
    needs: 'token',
    status: 200,
    body: noticeSettingsSchema,
    answer: noticeSettingsSchema,
  },
  'GET /push/key': {
    summary: 'The key for Web Push subscriptions; 404 if no pushes are sent.',
    needs: 'nothing',
    status: 200,
    answer: pushKeySchema,
  },
  'PUT /push/subscriptions': {
    summary: "Adds a browser's subscription; it no longer belongs to anybody else.",
    needs: 'token',
    status: 204,
    body: pushSubscriptionSchema,
  },
  'DELETE /push/subscriptions': {
    summary: "Removes a browser's subscription.",
    needs: 'token',
    status: 204,
    body: endedPushSubscriptionSchema,
  },
  'POST /realtime/ticket': {
    summary: 'A ticket for one socket, valid for 30 seconds.',
    needs: 'token',
    status: 200,
    answer: realtimeTicketSchema,
  },

  'POST /feedback': {
    summary: 'Leaves feedback.',
    needs: 'optional_token',
    status: 201,
    body: feedbackInputSchema,
    answer: successSchema,
  },

  'GET /admin/communities': {
    summary: 'Communities that are pending, themselves or with a new name, or approved.',
    needs: 'platform_admin',
    status: 200,
    query: adminCommunityQuerySchema,
    answer: z.array(adminCommunitySchema),
    isPaged: true,
  },
  'POST /admin/communities/:id/approve': {
    summary: 'Approves a pending community or name. With `name` it fails if another name is pending by now.',
    needs: 'platform_admin',
    status: 200,
    body: approvalInputSchema,
    answer: approvalSchema,
  },
  'POST /admin/communities/:id/reject': {
    summary: 'Rejects a pending community, which deletes it, or only the new name of an approved one.',
    needs: 'platform_admin',
    status: 204,
    body: moderationReasonSchema,
  },
  'GET /admin/communities/:id/members': {
    summary: 'The members of any community in the order of joining, to choose a new admin.',
    needs: 'platform_admin',
    status: 200,
    query: memberListQuerySchema,
    answer: z.array(communityMemberSchema),
    isPaged: true,
  },
  'POST /admin/communities/:id/admins': {
    summary: 'Makes a member an admin of their community, for example if its only admin has left.',
    needs: 'platform_admin',
    status: 204,
    body: appointmentSchema,
  },
  'POST /admin/communities/:id/suspend': {
    summary: 'Suspends an approved community: it is unlisted, nobody joins, and its posts are hidden.',
    needs: 'platform_admin',
    status: 204,
    body: moderationReasonSchema,
  },
  'POST /admin/communities/:id/reinstate': {
    summary: 'Reinstates a suspended community and restores its posts. The reason is optional.',
    needs: 'platform_admin',
    status: 204,
    body: restorationSchema,
  },
  'GET /admin/admins': {
    summary: 'The platform admins, longest-standing first.',
    needs: 'platform_admin',
    status: 200,
    answer: z.array(platformAdminSchema),
  },
  'DELETE /admin/admins/:userId': {
    summary: 'Revokes the role of a platform admin, except the last one who is not suspended.',
    needs: 'platform_admin',
    status: 204,
  },
  'POST /admin/users/:id/suspend': {
    summary: 'Suspends a person: they cannot write, and their open posts are hidden.',
    needs: 'platform_admin',
    status: 204,
    body: moderationReasonSchema,
  },
  'POST /admin/users/:id/reinstate': {
    summary: 'Reinstates a suspended person and restores their posts.',
    needs: 'platform_admin',
    status: 204,
    body: restorationSchema,
  },
  'GET /admin/search': {
    summary: 'People by name, e-mail, number or id, and posts by words or id.',
    needs: 'platform_admin',
    status: 200,
    query: adminSearchQuerySchema,
    answer: adminFoundSchema,
  },
  'GET /admin/users/:id': {
    summary: 'A person, with their posts, reports and log.',
    needs: 'platform_admin',
    status: 200,
    answer: adminPersonSchema,
  },
  'GET /admin/posts/:id': {
    summary: 'A post, with its author, reports and log.',
    needs: 'platform_admin',
    status: 200,
    answer: adminPostSchema,
  },
  'GET /admin/week': {
    summary: 'What happened on each of the last seven days, today first.',
    needs: 'platform_admin',
    status: 200,
    answer: z.array(adminDaySchema),
  },
  'GET /admin/feedback': {
    summary: 'Feedback, newest first: all of it, or what is open or done.',
    needs: 'platform_admin',
    status: 200,
    query: feedbackListQuerySchema,
    answer: z.array(feedbackEntrySchema),
    isPaged: true,
  },
  'POST /admin/feedback/:id/done': {
    summary: 'Marks feedback as done.',
    needs: 'platform_admin',
    status: 204,
  },

  'POST /me/passkeys/options': {
    summary: 'The options for creating a passkey, for platform admins.',
    needs: 'platform_admin',
    status: 200,
    answer: passkeyOptionsSchema,
  },
  'POST /me/passkeys': {
    summary:
      'Adds a passkey: the first one with the password, others after using one. It counts as used. Supports Idempotency-Key.',
    needs: 'platform_admin',
    status: 201,
    body: newPasskeySchema,
    answer: passkeySchema,
  },
  'GET /me/passkeys': {
    summary: "The caller's passkeys, oldest first.",
    needs: 'platform_admin',
    status: 200,
    answer: z.array(passkeySchema),
  },
  'DELETE /me/passkeys/:id': {
    summary: 'Deletes a passkey and the step-ups made with it.',
    needs: 'platform_admin',
    status: 204,
  },
  'POST /admin/step-up/options': {
    summary: 'The options for using a passkey.',
    needs: 'platform_admin',
    status: 200,
    answer: stepUpOptionsSchema,
  },
  'POST /admin/step-up': {
    summary: 'Uses a passkey: for 12 hours this session may make admin changes.',
    needs: 'platform_admin',
    status: 200,
    body: stepUpSchema,
    answer: steppedUpSchema,
  },
  'GET /admin/reports': {
    summary: 'Reported posts with their reports: open ones, longest waiting first, or decided ones, most recent first.',
    needs: 'platform_admin',
    status: 200,
    query: reportedPostQuerySchema,
    answer: z.array(reportedPostSchema),
    isPaged: true,
  },
  'POST /admin/posts/:id/hide': {
    summary: 'Hides a post and closes its reports.',
    needs: 'platform_admin',
    status: 204,
    body: moderationReasonSchema,
  },
  'POST /admin/posts/:id/restore': {
    summary: 'Restores a post, whatever hid it, and closes its reports. The reason is optional.',
    needs: 'platform_admin',
    status: 204,
    body: restorationSchema,
  },
  'POST /admin/posts/:id/undo': {
    summary: 'Undoes the last decision on a reported post, within ten minutes.',
    needs: 'platform_admin',
    status: 204,
  },
  'GET /admin/log': {
    summary: 'The log of moderation, newest first.',
    needs: 'platform_admin',
    status: 200,
    query: logQuerySchema,
    answer: z.array(logEntrySchema),
    isPaged: true,
  },
  'GET /admin/switches': {
    summary: 'Which features are switched on.',
    needs: 'platform_admin',
    status: 200,
    answer: switchesSchema,
  },
  'PUT /admin/switches': {
    summary: 'Switches features on or off: writes answer 503 within ten seconds. All four are required.',
    needs: 'platform_admin',
    status: 200,
    body: switchesSchema,
    answer: switchesSchema,
  },

  'POST /client-errors': {
    summary: "Reports an error in a browser, by name and frames, without people's texts. At most 2 KiB.",
    needs: 'nothing',
    status: 204,
    body: clientErrorSchema,
  },
  'GET /health': {
    summary: 'Whether the services that the Worker depends on respond; 503 if not.',
    needs: 'nothing',
    status: 200,
    answer: healthSchema,
  },
  'GET /openapi.json': {
    summary: 'This description, as OpenAPI 3.1.',
    needs: 'nothing',
    status: 200,
    answer: z.record(z.string(), z.unknown()),
  },
  'GET /dev/whatsapp-messages': {
    summary: 'The WhatsApp messages of the local transport, newest first; 404 with any other.',
    needs: 'nothing',
    status: 200,
    query: localWhatsappMessageQuerySchema,
    answer: z.array(localWhatsappMessageSchema),
  },
  'GET /dev/emails': {
    summary: 'The e-mails of the local transport, newest first; 404 with any other.',
    needs: 'nothing',
    status: 200,
    query: localEmailQuerySchema,
    answer: z.array(localEmailSchema),
  },
  'POST /dev/whatsapp-incoming': {
    summary: 'Simulates an incoming WhatsApp message, with the local transport; 404 with any other.',
    needs: 'nothing',
    status: 204,
    body: incomingMessageInputSchema,
  },
} as const satisfies Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

type Part<Name extends EndpointName, Key extends keyof Endpoint> =
  (typeof ENDPOINTS)[Name] extends Record<Key, infer Schema extends z.ZodMiniType> ? Schema : never;

/**
 * The types of an endpoint's query, body and response. `never`: the endpoint has no query or body. `null`: the response
 * has no body. All fields of a query are optional.
 */
export type QueryOf<Name extends EndpointName> = Partial<z.input<Part<Name, 'query'>>>;
export type BodyOf<Name extends EndpointName> = z.input<Part<Name, 'body'>>;
export type AnswerOf<Name extends EndpointName> = (typeof ENDPOINTS)[Name] extends {
  answer: infer Schema extends z.ZodMiniType;
}
  ? z.output<Schema>
  : null | OtherAnswerOf<Name>;
type OtherAnswerOf<Name extends EndpointName> = (typeof ENDPOINTS)[Name] extends {
  otherwise: { answer: infer Schema extends z.ZodMiniType };
}
  ? z.output<Schema>
  : never;
/** The parameters of a path, such as `id` in `/posts/:id/found`. */
export type ParamOf<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamOf<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;
