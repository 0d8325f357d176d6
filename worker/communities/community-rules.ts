import type { ErrorCode } from '#contract/error-codes.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { CommunityRow, MemberCommunityRow, NewcomerRow } from './present-community.ts';

/** A person's relation to a community. Being a platform admin makes no difference. */
type Standing = 'stranger' | 'removed' | 'requester' | 'member' | 'admin';

/**
 * For one step, the error that people of each standing get. Null: the step is allowed, unless the community's state
 * prevents it.
 */
type Refusals = Record<Standing, ErrorCode | null>;

/** A step that only members may take fails for other people as if the community did not exist. */
const HIDDEN = {
  stranger: 'community_not_found',
  removed: 'community_not_found',
  requester: 'community_not_found',
} as const;
const FOR_MEMBERS: Refusals = { ...HIDDEN, member: null, admin: null };
const FOR_ADMINS: Refusals = { ...HIDDEN, member: 'forbidden', admin: null };

/** Who may take which step. The rule that one admin must remain is checked by the statements that remove an admin. */
export const REFUSALS = {
  read: FOR_MEMBERS,
  leave: FOR_MEMBERS,
  read_members: FOR_ADMINS,
  read_statistics: FOR_ADMINS,
  read_qr_code: FOR_ADMINS,
  judge_post: FOR_ADMINS,
  change: FOR_ADMINS,
  renew_code: FOR_ADMINS,
  set_role: FOR_ADMINS,
  remove: FOR_ADMINS,
  close: FOR_ADMINS,
  reopen: FOR_ADMINS,
  // A community begins to close when its only member leaves. This member can reopen it without being an admin.
  reopen_alone: FOR_MEMBERS,
  read_requests: FOR_ADMINS,
  answer_request: FOR_ADMINS,
  join: {
    stranger: null,
    removed: 'removed_from_community',
    requester: null,
    member: 'already_member',
    admin: 'already_member',
  },
  request: {
    stranger: null,
    removed: 'removed_from_community',
    requester: 'already_requested',
    member: 'already_member',
    admin: 'already_member',
  },
} as const satisfies Record<string, Refusals>;
type CommunityStep = keyof typeof REFUSALS;

function standingOf(row: CommunityRow | NewcomerRow): Standing {
  if (row.member_role) return row.member_role;
  if ('is_removed' in row && row.is_removed === 1) return 'removed';
  return 'has_requested' in row && row.has_requested === 1 ? 'requester' : 'stranger';
}

function refuse(step: CommunityStep, row: CommunityRow | NewcomerRow): void {
  const standing = standingOf(row);
  // Members who are not admins can do nothing in a suspended community except leave it.
  if (row.is_suspended === 1 && standing === 'member' && step !== 'leave') throw new AppError('community_suspended');
  const refusal: ErrorCode | null = REFUSALS[step][standing];
  if (refusal) throw new AppError(refusal);
}

/** @throws AppError the refusal that `REFUSALS` lists for the step and the viewer's standing. */
export function assertMay(
  step: Exclude<CommunityStep, 'join' | 'request'>,
  row: CommunityRow | undefined,
): MemberCommunityRow {
  if (row) refuse(step, row);
  if (!row?.member_role) throw new AppError('community_not_found');
  return { ...row, member_role: row.member_role };
}

/** @throws AppError the reason why the viewer cannot join. */
export function assertJoinable(row: NewcomerRow | undefined): NewcomerRow {
  if (!row) throw new AppError('community_not_found');
  if (row.approval_status !== 1) throw new AppError('community_not_approved');
  refuse('join', row);
  assertOpen(row);
  return row;
}

/**
 * @throws AppError the reason why the viewer cannot ask to join: community_not_found if the community is not listed and
 * the viewer is not a member.
 */
export function assertRequestable(row: NewcomerRow | undefined): NewcomerRow {
  if (!row || (row.is_findable === 0 && row.member_role === null)) throw new AppError('community_not_found');
  refuse('request', row);
  assertOpen(row);
  return row;
}

/** @throws AppError community_suspended, community_closing or community_has_no_admin: then nobody can join. */
export function assertOpen({ is_suspended, closes_at, has_admin }: CommunityRow): void {
  if (is_suspended === 1) throw new AppError('community_suspended');
  if (closes_at !== null) throw new AppError('community_closing');
  if (has_admin === 0) throw new AppError('community_has_no_admin');
}
