import * as z from 'zod/mini';
import {
  meChangeSchema,
  meSchema,
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
  adminNoticeDaySchema,
  adminPersonSchema,
  adminPostSchema,
  adminSearchQuerySchema,
  noticeDaysQuerySchema,
} from './admin.ts';
import { blockSchema } from './blocks.ts';
import {
  claimInputSchema,
  claimListQuerySchema,
  claimSchema,
  claimTextInputSchema,
  handOverInputSchema,
} from './claims.ts';
import { clientErrorSchema } from './client-errors.ts';
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
import { deviceSchema } from './devices.ts';
import { emailChangeSchema, emailConfirmationSchema, localEmailQuerySchema, localEmailSchema } from './email.ts';
import { feedbackEntrySchema, feedbackInputSchema } from './feedback.ts';
import { exportSchema, passwordAgainSchema } from './leaving.ts';
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
import { noticeSettingsSchema } from './notice-settings.ts';
import { noticeListQuerySchema, noticeListSchema, readNoticesSchema, unreadCountSchema } from './notices.ts';
import {
  numberChangeSchema,
  numberConfirmationSchema,
  numberProofInputSchema,
  numberProofSchema,
  startedProofSchema,
} from './numbers.ts';
import { healthSchema, switchesSchema } from './operating.ts';
import { pageQuerySchema } from './paging.ts';
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
  excludedSchema,
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
  returnedThingsSchema,
} from './posts.ts';
import { endedPushSubscriptionSchema, pushKeySchema, pushSubscriptionSchema } from './push.ts';
import { resetPasswordSchema, resetRequestSchema, successSchema, verifyCodeSchema } from './recovery.ts';
import { incomingMessageInputSchema, localWhatsappMessageQuerySchema, localWhatsappMessageSchema } from './whatsapp.ts';

export type Endpoint = {
  /** One sentence for authors of clients. */
  summary: string;
  /** Who may call it: anybody, anybody (with a token they get more), signed-in people, platform admins. */
  needs: 'nothing' | 'optional_token' | 'token' | 'platform_admin';
  status: 200 | 201 | 202 | 204;
  /** A second kind of response, in a case that the summary describes. */
  otherwise?: { status: 202; answer: z.ZodMiniType };
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** The body is a form instead of JSON. */
  isForm?: true;
  /** The body is a file of one of these media types. */
  fileTypes?: readonly string[];
  /** Absent if the response has no body. */
  answer?: z.ZodMiniType;
  /** A paged list, with the next page in the `Link` header. */
  isPaged?: true;
};

/**
 * Every endpoint, by its method and its path below `/api`. Tests validate the Worker's responses against it, the web app
 * takes its types from it, and `/api/openapi.json` is generated from it. Meta's webhook is not included.
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
    summary: 'Signs in: username holds the e-mail.',
    needs: 'nothing',
    status: 200,
    body: signInSchema,
    isForm: true,
    answer: sessionSchema,
  },
  'GET /me': { summary: 'Who the caller is.', needs: 'token', status: 200, answer: meSchema },
  'PATCH /me': {
    summary: "Changes the caller's name or the language in which they are written to.",
    needs: 'token',
    status: 200,
    body: meChangeSchema,
    answer: meSchema,
  },
  'POST /me/password': {
    summary: 'Sets a new password. Every other device is signed out; the caller goes on with the token of the answer.',
    needs: 'token',
    status: 200,
    body: passwordChangeSchema,
    answer: sessionSchema,
  },
  'POST /me/sign-out-everywhere': {
    summary: 'Signs every other device out; the caller goes on with the token of the answer.',
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
    summary: 'Where the caller is signed in, the last one seen first.',
    needs: 'token',
    status: 200,
    answer: z.array(deviceSchema),
  },
  'DELETE /me/devices/:id': {
    summary: 'Signs a device out: its tokens are dead from then on.',
    needs: 'token',
    status: 204,
  },
  'POST /me/export': {
    summary: 'Everything that is held of the caller, as a file; three a day.',
    needs: 'token',
    status: 200,
    body: passwordAgainSchema,
    answer: exportSchema,
  },
  'DELETE /me': {
    summary: 'Deletes the account with all that is in it; where it is under report or suspended, after 30 days.',
    needs: 'token',
    status: 204,
    body: passwordAgainSchema,
  },
  'POST /me/whatsapp-number': {
    summary: "Sends a code to the number that shall be the caller's.",
    needs: 'token',
    status: 200,
    body: numberChangeSchema,
    answer: successSchema,
  },
  'POST /me/whatsapp-number/confirm': {
    summary: "Makes the number the caller's, by the code or by a proof.",
    needs: 'token',
    status: 200,
    body: numberConfirmationSchema,
    answer: meSchema,
  },

  'POST /me/email': {
    summary: "Sends a link to the e-mail that shall be the caller's, or that is to be proven.",
    needs: 'token',
    status: 200,
    body: emailChangeSchema,
    answer: successSchema,
  },
  'POST /auth/confirm-email': {
    summary: "Makes the e-mail of a link its account's, and proven, once.",
    needs: 'nothing',
    status: 204,
    body: emailConfirmationSchema,
  },

  'POST /auth/number-proofs': {
    summary: 'Begins to prove a number by a message that its holder sends us.',
    needs: 'nothing',
    status: 201,
    body: numberProofInputSchema,
    answer: startedProofSchema,
  },
  'GET /auth/number-proofs/:id': {
    summary: 'What has come of it; whoever began it says its secret in the header X-Proof-Secret.',
    needs: 'nothing',
    status: 200,
    answer: numberProofSchema,
  },
  'POST /auth/prove-number': {
    summary: 'Sends a code to the number over WhatsApp, for the sign-up.',
    needs: 'nothing',
    status: 200,
    body: numberProofInputSchema,
    answer: successSchema,
  },

  'POST /auth/request-password-reset': {
    summary: 'Sends a code to the number over WhatsApp, if it has an account; answers alike if not.',
    needs: 'nothing',
    status: 200,
    body: resetRequestSchema,
    answer: successSchema,
  },
  'POST /auth/verify-code': {
    summary: 'Says whether the code is right.',
    needs: 'nothing',
    status: 200,
    body: verifyCodeSchema,
    answer: successSchema,
  },
  'POST /auth/reset-password': {
    summary: 'Sets a new password by the code, once.',
    needs: 'nothing',
    status: 200,
    body: resetPasswordSchema,
    answer: successSchema,
  },

  'GET /posts': {
    summary: 'The posts that the caller may see, newest first.',
    needs: 'optional_token',
    status: 200,
    query: postListQuerySchema,
    answer: z.array(postEntrySchema),
    isPaged: true,
  },
  'GET /posts/excluded': {
    summary: 'How many posts the same list would have without each of its filters, up to fifty.',
    needs: 'optional_token',
    status: 200,
    query: postListQuerySchema,
    answer: excludedSchema,
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
    summary: 'Makes a post. An Idempotency-Key makes a repetition harmless for 24 hours.',
    needs: 'token',
    status: 201,
    body: newPostSchema,
    answer: postSchema,
  },
  'PUT /posts/:id': {
    summary: "Changes one's own post.",
    needs: 'token',
    status: 200,
    body: postInputSchema,
    answer: postSchema,
  },
  'DELETE /posts/:id': { summary: "Deletes one's own post.", needs: 'token', status: 204 },
  'PATCH /posts/:id/found': {
    summary: "Marks one's own post found.",
    needs: 'token',
    status: 200,
    answer: postSchema,
  },
  'DELETE /posts/:id/found': {
    summary: 'Undoes the marking, for ten minutes after the first one.',
    needs: 'token',
    status: 200,
    answer: postSchema,
  },
  'PUT /posts/:id/outcome': {
    summary: "Says how one's own post ended: it is returned, or closed.",
    needs: 'token',
    status: 200,
    body: outcomeInputSchema,
    answer: postSchema,
  },
  'POST /posts/:id/wake': {
    summary: "Says that one's own post is still looked for: a resting or closed one is open again.",
    needs: 'token',
    status: 200,
    answer: postSchema,
  },
  'POST /posts/:id/photos': {
    summary: "Adds a photo to one's own post: the body is the picture itself.",
    needs: 'token',
    status: 201,
    query: newPhotoQuerySchema,
    fileTypes: PHOTO_TYPES,
    answer: photoSchema,
  },
  'PATCH /posts/:id/photos/:photoId': {
    summary: 'Changes what is said of a photo, or its place among the others.',
    needs: 'token',
    status: 200,
    body: photoChangeSchema,
    answer: photoSchema,
  },
  'DELETE /posts/:id/photos/:photoId': { summary: "Deletes a photo of one's own post.", needs: 'token', status: 204 },
  'GET /posts/:id/matches': {
    summary: "The open posts of the other kind that match one's own, sure ones first, best first.",
    needs: 'token',
    status: 200,
    answer: z.array(postMatchSchema),
  },
  'POST /posts/:id/block-author': {
    summary: "Blocks the post's author: to each the other's posts are as absent, and neither is told.",
    needs: 'token',
    status: 204,
  },
  'GET /me/blocks': {
    summary: 'Whom the caller has blocked, the last one first.',
    needs: 'token',
    status: 200,
    answer: z.array(blockSchema),
  },
  'DELETE /me/blocks/:id': { summary: 'Blocks them no more.', needs: 'token', status: 204 },
  'POST /posts/:id/reports': {
    summary: "Reports somebody else's post, once. An Idempotency-Key makes a repetition harmless for 24 hours.",
    needs: 'token',
    status: 201,
    body: reportInputSchema,
    answer: madeReportSchema,
  },
  'POST /identifiers/lookup': {
    summary: 'Says whether an open, public found post has this serial, document or plate number.',
    needs: 'token',
    status: 200,
    body: identifierLookupSchema,
    answer: identifierFoundSchema,
  },
  'GET /returned-things': {
    summary: 'How many things are back with their owners; null while they are few.',
    needs: 'nothing',
    status: 200,
    answer: returnedThingsSchema,
  },
  'GET /matches/counts': {
    summary: 'How many matches are listed for each open post of the caller.',
    needs: 'token',
    status: 200,
    answer: matchCountsSchema,
  },
  'POST /matches/:pairId/confirm': {
    summary: 'Says "it is this one": the author of the other post is told, once.',
    needs: 'token',
    status: 204,
  },
  'POST /matches/:pairId/dismiss': {
    summary: 'Says "not this one": the pair is not shown to the caller again.',
    needs: 'token',
    status: 204,
  },

  'POST /posts/:id/claims': {
    summary: "Says of somebody else's open finder's post that the thing is the caller's. Idempotency-Key is honoured.",
    needs: 'token',
    status: 201,
    body: claimInputSchema,
    answer: claimSchema,
  },
  'GET /claims': {
    summary: "The caller's claims on either side, what changed last first.",
    needs: 'token',
    status: 200,
    query: claimListQuerySchema,
    answer: z.array(claimSchema),
    isPaged: true,
  },
  'GET /claims/:id': { summary: 'One claim, for its two people.', needs: 'token', status: 200, answer: claimSchema },
  'POST /claims/:id/ask': {
    summary: 'The finder asks once more.',
    needs: 'token',
    status: 200,
    body: claimTextInputSchema,
    answer: claimSchema,
  },
  'POST /claims/:id/reply': {
    summary: 'The claimant replies to what was asked.',
    needs: 'token',
    status: 200,
    body: claimTextInputSchema,
    answer: claimSchema,
  },
  'POST /claims/:id/accept': {
    summary: 'The finder says "it is theirs": each gets the other\'s number.',
    needs: 'token',
    status: 200,
    answer: claimSchema,
  },
  'POST /claims/:id/decline': {
    summary: 'The finder says "not theirs": in effect after ten minutes, at once where it was accepted.',
    needs: 'token',
    status: 200,
    answer: claimSchema,
  },
  'POST /claims/:id/undo': {
    summary: 'The finder takes a decline back before it is in effect.',
    needs: 'token',
    status: 200,
    answer: claimSchema,
  },
  'POST /claims/:id/withdraw': {
    summary: 'The claimant gives the claim up.',
    needs: 'token',
    status: 200,
    answer: claimSchema,
  },
  'POST /claims/:id/hand-over': {
    summary: "The finder types the claimant's code: the thing is handed over, and the post returned.",
    needs: 'token',
    status: 200,
    body: handOverInputSchema,
    answer: claimSchema,
  },
  'POST /claims/:id/reports': {
    summary: 'Reports a claim to the admins, once. Idempotency-Key is honoured.',
    needs: 'token',
    status: 201,
    body: reportInputSchema,
    answer: madeReportSchema,
  },
  'POST /claims/:id/block': {
    summary: 'Blocks the other side of a claim, which closes it; neither is told.',
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
    summary: 'Joins by an access code or a join link.',
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
    summary: 'Changes it, for its admins; the new name of an approved one waits for the platform.',
    needs: 'token',
    status: 200,
    body: communityChangeSchema,
    answer: communitySchema,
  },
  'DELETE /communities/:id': {
    summary: 'Closes it in seven days, for its admins: from now on nobody joins. Its members are told.',
    needs: 'token',
    status: 202,
    answer: closingSchema,
  },
  'POST /communities/:id/reopen': {
    summary: 'Takes the closing back, for its admins, until it is closed. Its members are told.',
    needs: 'token',
    status: 200,
    answer: communitySchema,
  },
  'POST /communities/:id/access-code': {
    summary: 'Gives it a new access code, for its admins: the one before lets nobody in any more.',
    needs: 'token',
    status: 200,
    answer: renewedCodeSchema,
  },
  'GET /communities/:id/stats': {
    summary: 'Its numbers, for its admins.',
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
    summary: 'Makes a member an admin or an admin a member, for its admins; never the last admin. `me` is the caller.',
    needs: 'token',
    status: 200,
    body: roleInputSchema,
    answer: communityMemberSchema,
  },
  'DELETE /communities/:id/members/:userId': {
    summary: 'Removes a member, for its admins; `me` leaves. Whoever is alone in it closes it so, which is the 202.',
    needs: 'token',
    status: 204,
    otherwise: { status: 202, answer: closingSchema },
  },
  'POST /communities/:id/join-requests': {
    summary: "Asks a listed community's admins to be let in. Idempotency-Key is honoured.",
    needs: 'token',
    status: 201,
    body: joinRequestInputSchema,
    answer: madeJoinRequestSchema,
  },
  'GET /communities/:id/join-requests': {
    summary: 'Who asks to join, for its admins; who has waited longest first.',
    needs: 'token',
    status: 200,
    query: memberListQuerySchema,
    answer: z.array(joinRequestSchema),
    isPaged: true,
  },
  'POST /communities/:id/join-requests/:userId/accept': {
    summary: 'Lets them in, for its admins; they are told.',
    needs: 'token',
    status: 204,
  },
  'POST /communities/:id/join-requests/:userId/decline': {
    summary: 'Does not let them in, for its admins; they are not told.',
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
    summary: "Hides a post of the community's, for its admins.",
    needs: 'token',
    status: 204,
    body: moderationReasonSchema,
  },
  'POST /communities/:id/posts/:postId/restore': {
    summary: "Lifts what the community's admins hid; the reason may be left out.",
    needs: 'token',
    status: 204,
    body: restorationSchema,
  },

  'GET /notices': {
    summary: 'What the caller was told, newest first.',
    needs: 'token',
    status: 200,
    query: noticeListQuerySchema,
    answer: noticeListSchema,
    isPaged: true,
  },
  'POST /notices/read': {
    summary: 'Marks notices read.',
    needs: 'token',
    status: 200,
    body: readNoticesSchema,
    answer: unreadCountSchema,
  },
  'POST /notices/:id/dismiss': { summary: 'Says that a match is not theirs.', needs: 'token', status: 204 },
  'GET /me/notice-settings': {
    summary: 'How the caller wants to be told when no page is open.',
    needs: 'token',
    status: 200,
    answer: noticeSettingsSchema,
  },
  'PUT /me/notice-settings': {
    summary: 'Changes all of it; it takes effect at once.',
    needs: 'token',
    status: 200,
    body: noticeSettingsSchema,
    answer: noticeSettingsSchema,
  },
  'GET /push/key': {
    summary: 'What a browser subscribes to Web Push with; 404 where none is sent.',
    needs: 'nothing',
    status: 200,
    answer: pushKeySchema,
  },
  'PUT /push/subscriptions': {
    summary: "Adds a browser to the caller's; it is theirs alone from then on.",
    needs: 'token',
    status: 204,
    body: pushSubscriptionSchema,
  },
  'DELETE /push/subscriptions': {
    summary: "Takes a browser from the caller's.",
    needs: 'token',
    status: 204,
    body: endedPushSubscriptionSchema,
  },
  'POST /realtime/ticket': {
    summary: 'A ticket for one socket, for 30 seconds.',
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
    summary: 'Communities that wait for approval, themselves or with a new name, or that have it.',
    needs: 'platform_admin',
    status: 200,
    query: adminCommunityQuerySchema,
    answer: z.array(adminCommunitySchema),
    isPaged: true,
  },
  'POST /admin/communities/:id/approve': {
    summary: 'Approves a pending community, or the new name of an approved one; with `name`, that one and no other.',
    needs: 'platform_admin',
    status: 200,
    body: approvalInputSchema,
    answer: approvalSchema,
  },
  'POST /admin/communities/:id/reject': {
    summary: 'Rejects a pending community, which removes it, or the new name of an approved one, and the name alone.',
    needs: 'platform_admin',
    status: 204,
    body: moderationReasonSchema,
  },
  'GET /admin/communities/:id/members': {
    summary: 'The members of any community in the order of joining, as one of them is to be its admin.',
    needs: 'platform_admin',
    status: 200,
    query: memberListQuerySchema,
    answer: z.array(communityMemberSchema),
    isPaged: true,
  },
  'POST /admin/communities/:id/admins': {
    summary: 'Makes a member an admin of their community, as where its only admin has left.',
    needs: 'platform_admin',
    status: 204,
    body: appointmentSchema,
  },
  'POST /admin/users/:id/suspend': {
    summary: 'Keeps a person from writing and hides their open posts.',
    needs: 'platform_admin',
    status: 204,
    body: moderationReasonSchema,
  },
  'POST /admin/users/:id/reinstate': {
    summary: 'Lets them write again; their posts are there as before.',
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
    summary: 'What is known of a person.',
    needs: 'platform_admin',
    status: 200,
    answer: adminPersonSchema,
  },
  'GET /admin/posts/:id': {
    summary: 'What is known of a post.',
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
  'GET /admin/notice-days': {
    summary: 'How far the notices of each of the last days came, today first, and of each type that there was.',
    needs: 'platform_admin',
    status: 200,
    query: noticeDaysQuerySchema,
    answer: z.array(adminNoticeDaySchema),
  },
  'GET /admin/feedback': {
    summary: 'Feedback, newest first.',
    needs: 'platform_admin',
    status: 200,
    query: pageQuerySchema,
    answer: z.array(feedbackEntrySchema),
    isPaged: true,
  },

  'POST /me/passkeys/options': {
    summary: 'What a new passkey of a platform admin is to sign.',
    needs: 'platform_admin',
    status: 200,
    answer: passkeyOptionsSchema,
  },
  'POST /me/passkeys': {
    summary: 'Adds a passkey: the first with the password, further ones once one was shown. It counts as shown itself.',
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
    summary: 'Removes a passkey, and ends what it was shown for.',
    needs: 'platform_admin',
    status: 204,
  },
  'POST /admin/step-up/options': {
    summary: 'What a passkey is to sign to be shown.',
    needs: 'platform_admin',
    status: 200,
    answer: stepUpOptionsSchema,
  },
  'POST /admin/step-up': {
    summary: 'Shows a passkey: for 12 hours this session may change what platform admins change.',
    needs: 'platform_admin',
    status: 200,
    body: stepUpSchema,
    answer: steppedUpSchema,
  },
  'GET /admin/reports': {
    summary: 'Posts that were reported, with their reports: who has waited longest first, or who was decided last.',
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
    summary: 'Lets a post stand, whatever hid it, and closes its reports; the reason may be left out.',
    needs: 'platform_admin',
    status: 204,
    body: restorationSchema,
  },
  'POST /admin/posts/:id/undo': {
    summary: 'Takes the last decision on a reported post back, for ten minutes after it.',
    needs: 'platform_admin',
    status: 204,
  },
  'GET /admin/log': {
    summary: 'What was done to posts and people, newest first.',
    needs: 'platform_admin',
    status: 200,
    query: logQuerySchema,
    answer: z.array(logEntrySchema),
    isPaged: true,
  },
  'GET /admin/switches': {
    summary: 'What is switched on.',
    needs: 'platform_admin',
    status: 200,
    answer: switchesSchema,
  },
  'PUT /admin/switches': {
    summary: 'Switches parts off for a while: their writes answer 503 within ten seconds. All four are sent.',
    needs: 'platform_admin',
    status: 200,
    body: switchesSchema,
    answer: switchesSchema,
  },

  'POST /client-errors': {
    summary: 'What broke in a browser, by name and place, without anything that people wrote. At most 2 KiB.',
    needs: 'nothing',
    status: 204,
    body: clientErrorSchema,
  },
  'GET /health': {
    summary: 'Whether what the Worker stands on answers; 503 when not.',
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
    summary: 'What the local transport has sent, newest first; 404 under any other.',
    needs: 'nothing',
    status: 200,
    query: localWhatsappMessageQuerySchema,
    answer: z.array(localWhatsappMessageSchema),
  },
  'GET /dev/emails': {
    summary: 'What the local transport has sent as e-mails, newest first; 404 under any other.',
    needs: 'nothing',
    status: 200,
    query: localEmailQuerySchema,
    answer: z.array(localEmailSchema),
  },
  'POST /dev/whatsapp-incoming': {
    summary: 'Stands in for a message that comes in through Meta; 404 under any other transport.',
    needs: 'nothing',
    status: 204,
    body: incomingMessageInputSchema,
  },
} as const satisfies Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

type Part<Name extends EndpointName, Key extends keyof Endpoint> =
  (typeof ENDPOINTS)[Name] extends Record<Key, infer Schema extends z.ZodMiniType> ? Schema : never;

/**
 * What a caller sends and gets: `never` for a part that the endpoint does not have, `null` for a response without a body.
 * Everything in a query is optional.
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
