import * as z from 'zod/mini';
import {
  COMMUNITY_DESCRIPTION_MAX_CHARS,
  COMMUNITY_NAME_MAX_CHARS,
  JOIN_TEXT_MAX_CHARS,
  REJECTION_REASON_MAX_CHARS,
} from './limits.ts';
import { pageQueryShape, searchQuerySchema } from './posts.ts';
import { optionalTextSchema, textSchema } from './text.ts';

export const communityInputSchema = z.object({
  name: z.pipe(textSchema({ max: COMMUNITY_NAME_MAX_CHARS, required: 'community_name_required' }), z.transform(trim)),
  description: z.pipe(optionalTextSchema({ max: COMMUNITY_DESCRIPTION_MAX_CHARS, lines: true }), z.transform(trim)),
});
export type CommunityInput = z.infer<typeof communityInputSchema>;

function trim(text: string): string {
  return text.trim();
}

/** The code in any case, with spaces or dashes, or a whole join link. */
export const joinInputSchema = z.object({
  access_code: textSchema({ max: JOIN_TEXT_MAX_CHARS, required: 'access_code_required' }),
});
export type JoinInput = z.infer<typeof joinInputSchema>;

export const communityListQuerySchema = z.object({ search: searchQuerySchema });

/** A page of a list in the order of a time, whose key is `milliseconds.id` of the last row before it. */
export const timePageShape = {
  cursor: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w-]{1,64}$/, { error: 'cursor_invalid' }))),
  limit: pageQueryShape.limit,
};
export const memberListQuerySchema = z.object(timePageShape);
export type MemberListQuery = z.infer<typeof memberListQuerySchema>;
export const approvedListQuerySchema = z.object({ ...timePageShape, search: searchQuerySchema });
export type ApprovedListQuery = z.infer<typeof approvedListQuerySchema>;

export const rejectionSchema = z.object({
  reason: textSchema({ max: REJECTION_REASON_MAX_CHARS, required: 'reason_required', lines: true }),
});
export const adminCommunityQuerySchema = z.object({
  status: z._default(z.enum(['pending', 'approved'], { error: 'status_invalid' }), 'pending'),
  search: searchQuerySchema,
  ...timePageShape,
});
export type AdminCommunityQuery = z.infer<typeof adminCommunityQuerySchema>;

export type MemberRole = 'admin' | 'member';
/** 0 pending, 1 approved (specification §3). */
export type ApprovalStatus = 0 | 1;

export type Community = {
  id: string;
  name: string;
  description: string;
  community_code: string;
  member_role: MemberRole;
  approval_status: ApprovalStatus;
  created_at: string;
  /** The joining secret: present for the community's admins alone. */
  access_code?: string;
};
export type CreatedCommunity = { id: string; name: string; access_code: string; approval_status: ApprovalStatus };
export type ApprovedCommunity = {
  id: string;
  name: string;
  description: string;
  member_count: number;
  is_member: boolean;
};
export type JoinedCommunity = { id: string; name: string };
export type CommunityStats = {
  total_members: number;
  total_posts: number;
  /** Posted by a finder. */
  found_items: number;
  /** Posted by an owner. */
  lost_items: number;
  resolved_posts: number;
  active_posts: number;
  posts_last_7_days: number;
  most_active_location: string | null;
  admin_username: string | null;
};
export type CommunityMember = { user_id: string; username: string; role: MemberRole; joined_at: string };
/** Bare base64 of a PNG whose content is the join link. */
export type CommunityQrCode = { qr_code: string };
export type AdminCommunity = {
  id: string;
  name: string;
  description: string;
  approval_status: ApprovalStatus;
  creator_username: string;
  member_count: number;
  created_at: string;
};
