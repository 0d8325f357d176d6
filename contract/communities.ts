import * as z from 'zod/mini';
import { optionalTextSchema, possibleTextSchema, textSchema, timePageShape, timeSchema } from './fields.ts';
import {
  COMMUNITY_DESCRIPTION_MAX_CHARS,
  COMMUNITY_NAME_MAX_CHARS,
  JOIN_REQUEST_MAX_CHARS,
  JOIN_TEXT_MAX_CHARS,
} from './limits.ts';
import { searchQuerySchema } from './posts.ts';

const nameSchema = z.pipe(
  textSchema({ max: COMMUNITY_NAME_MAX_CHARS, required: 'community_name_required' }),
  z.transform(trim),
);
const descriptionSchema = z.pipe(
  optionalTextSchema({ max: COMMUNITY_DESCRIPTION_MAX_CHARS, lines: true }),
  z.transform(trim),
);

export const communityInputSchema = z.object({ name: nameSchema, description: descriptionSchema });
export type CommunityInput = z.infer<typeof communityInputSchema>;

/** `PATCH /api/communities/{id}`: omitted fields stay unchanged. A new name of an approved community needs approval. */
export const communityChangeSchema = z.object({
  name: z.optional(nameSchema),
  description: z.optional(descriptionSchema),
  is_listed: z.optional(z.boolean({ error: 'yes_or_no' })),
});
export type CommunityChange = z.infer<typeof communityChangeSchema>;

function trim(text: string): string {
  return text.trim();
}

/** An access code, in upper or lower case, with spaces or dashes; or a whole join link. */
export const joinInputSchema = z.object({
  // Users may paste a whole message that contains the access code, so the text may have several lines.
  access_code: textSchema({ max: JOIN_TEXT_MAX_CHARS, required: 'access_code_required', lines: true }),
});

export const communityListQuerySchema = z.object({ search: searchQuerySchema });

export const memberListQuerySchema = z.object(timePageShape);
export type MemberListQuery = z.infer<typeof memberListQuerySchema>;
export const approvedListQuerySchema = z.object({ ...timePageShape, search: searchQuerySchema });
export type ApprovedListQuery = z.infer<typeof approvedListQuerySchema>;

export const roleInputSchema = z.object({ role: z.enum(['admin', 'member'], { error: 'role_invalid' }) });

/** `POST /api/communities/{id}/join-requests`. An empty message is stored as no message. */
export const joinRequestInputSchema = z.object({ message: possibleTextSchema(JOIN_REQUEST_MAX_CHARS) });

/**
 * `POST /api/admin/communities/{id}/approve`. `name` is the name that the admin has read. If the pending name has
 * changed since, the request fails.
 */
export const approvalInputSchema = z.object({ name: z.optional(z.string({ error: 'text_invalid' })) });

export const adminCommunityQuerySchema = z.object({
  status: z._default(z.enum(['pending', 'approved'], { error: 'status_invalid' }), 'pending'),
  search: searchQuerySchema,
  ...timePageShape,
});
export type AdminCommunityQuery = z.infer<typeof adminCommunityQuerySchema>;

const roleSchema = z.enum(['admin', 'member']);
export type MemberRole = z.infer<typeof roleSchema>;
/** Whether the community is approved: 0 is pending, 1 is approved (docs/product.md C1). */
export const approvalStatusSchema = z.union([z.literal(0), z.literal(1)]);

export const communitySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  community_code: z.string(),
  member_role: roleSchema,
  approval_status: approvalStatusSchema,
  created_at: timeSchema,
  /** Whether the public list shows the community, so that anyone can ask to join. */
  is_listed: z.boolean(),
  /** The new name that waits for approval. Null if no name waits, and for members who are not admins. */
  pending_name: z.nullable(z.string()),
  /** When the community closes; null if it is not closing. */
  closes_at: z.nullable(timeSchema),
  /** Whether platform admins have suspended the community. If so, only its own admins can read it and post in it. */
  is_suspended: z.boolean(),
  /** The reason for the suspension. Null if the community is not suspended, and for members who are not admins. */
  suspension_reason: z.nullable(z.string()),
  /** The access code, with which anyone can join. Present only for the community's admins. */
  access_code: z.optional(z.string()),
});
export type Community = z.infer<typeof communitySchema>;

/** A community with the additional data that its page shows. */
export const communityPageSchema = z.object({
  ...communitySchema.shape,
  member_count: z.number(),
  /** The names of the community's admins, the longest-serving first; at most `ADMINS_NAMED_MAX`. */
  admins: z.array(z.string()),
  /** The count of open join requests, up to `WAITING_REQUESTS_MAX`; 0 for ordinary members. */
  waiting_requests: z.number(),
});
export type CommunityPage = z.infer<typeof communityPageSchema>;

export const renewedCodeSchema = z.object({ access_code: z.string() });
export type RenewedCode = z.infer<typeof renewedCodeSchema>;

export const closingSchema = z.object({ closes_at: timeSchema });
export type Closing = z.infer<typeof closingSchema>;

export const madeJoinRequestSchema = z.object({ community_id: z.string(), status: z.literal('waiting') });
export type MadeJoinRequest = z.infer<typeof madeJoinRequestSchema>;

/** A join request as the community's admins see it. */
export const joinRequestSchema = z.object({
  user_id: z.string(),
  username: z.string(),
  message: z.nullable(z.string()),
  created_at: timeSchema,
});
export type JoinRequest = z.infer<typeof joinRequestSchema>;

export const createdCommunitySchema = z.object({
  id: z.string(),
  name: z.string(),
  access_code: z.string(),
  approval_status: approvalStatusSchema,
});
export type CreatedCommunity = z.infer<typeof createdCommunitySchema>;

export const approvedCommunitySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  member_count: z.number(),
  is_member: z.boolean(),
  /** Whether the user has asked to join and may not ask again yet. */
  has_requested: z.boolean(),
});
export type ApprovedCommunity = z.infer<typeof approvedCommunitySchema>;

export const joinedCommunitySchema = z.object({ id: z.string(), name: z.string() });
export type JoinedCommunity = z.infer<typeof joinedCommunitySchema>;

export const communityStatsSchema = z.object({
  total_members: z.number(),
  total_posts: z.number(),
  /** The count of finders' posts. */
  found_items: z.number(),
  /** The count of owners' posts. */
  lost_items: z.number(),
  resolved_posts: z.number(),
  active_posts: z.number(),
  posts_last_7_days: z.number(),
  most_active_location: z.nullable(z.string()),
  admin_username: z.nullable(z.string()),
});
export type CommunityStats = z.infer<typeof communityStatsSchema>;

export const communityMemberSchema = z.object({
  user_id: z.string(),
  username: z.string(),
  role: roleSchema,
  joined_at: timeSchema,
});
export type CommunityMember = z.infer<typeof communityMemberSchema>;

/** `POST /api/admin/communities/{id}/admins`: the member who becomes an admin. */
export const appointmentSchema = z.object({ user_id: textSchema({ max: 64, required: 'member_required' }) });

/** A PNG in base64, without a `data:` prefix. The QR code contains the join link. */
export const communityQrCodeSchema = z.object({ qr_code: z.string() });
export type CommunityQrCode = z.infer<typeof communityQrCodeSchema>;

export const approvalSchema = z.object({ id: z.string(), name: z.string(), approval_status: z.literal(1) });
export type Approval = z.infer<typeof approvalSchema>;
