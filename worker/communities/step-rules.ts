import type { ErrorCode } from '#contract/error-codes.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { CommunityRow, MemberCommunityRow, NewcomerRow } from './community-rules.ts';

/** How somebody stands to a community. Who runs the platform is a stranger to it like any other. */
type Standing = 'stranger' | 'removed' | 'requester' | 'member' | 'admin';

/** What keeps somebody of each standing from a step; null where nothing does but the state of the community. */
type Refusals = Record<Standing, ErrorCode | null>;

/** To a stranger a community that exists answers as one that does not, but for who knows its code or finds it listed. */
const HIDDEN = {
  stranger: 'community_not_found',
  removed: 'community_not_found',
  requester: 'community_not_found',
} as const;
const FOR_MEMBERS: Refusals = { ...HIDDEN, member: null, admin: null };
const FOR_ADMINS: Refusals = { ...HIDDEN, member: 'forbidden', admin: null };

/** The one table of who may do what. The last admin is told apart by the statement that would take them away. */
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
  // By whoever has closed it by leaving, which needs no admin.
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
export type CommunityStep = keyof typeof REFUSALS;

function standingOf(row: CommunityRow | NewcomerRow): Standing {
  if (row.member_role) return row.member_role;
  if ('is_removed' in row && row.is_removed === 1) return 'removed';
  return 'has_requested' in row && row.has_requested === 1 ? 'requester' : 'stranger';
}

function refuse(step: CommunityStep, row: CommunityRow | NewcomerRow): void {
  const refusal: ErrorCode | null = REFUSALS[step][standingOf(row)];
  if (refusal) throw new AppError(refusal);
}

/** @throws AppError what the table says. */
export function assertMay(
  step: Exclude<CommunityStep, 'join' | 'request'>,
  row: CommunityRow | undefined,
): MemberCommunityRow {
  if (row) refuse(step, row);
  if (!row?.member_role) throw new AppError('community_not_found');
  return { ...row, member_role: row.member_role };
}

/** @throws AppError what keeps the viewer from joining the community that the code named. */
export function assertJoinable(row: NewcomerRow | undefined): NewcomerRow {
  if (!row) throw new AppError('community_not_found');
  if (row.approval_status !== 1) throw new AppError('community_not_approved');
  refuse('join', row);
  assertOpen(row);
  return row;
}

/** @throws AppError what keeps the viewer from asking to join: one that is not listed is there for its members alone. */
export function assertRequestable(row: NewcomerRow | undefined): NewcomerRow {
  if (!row || (row.is_findable === 0 && row.member_role === null)) throw new AppError('community_not_found');
  refuse('request', row);
  assertOpen(row);
  return row;
}

/** @throws AppError community_closing, or community_has_no_admin: nobody comes in. */
export function assertOpen({ closes_at, has_admin }: CommunityRow): void {
  if (closes_at !== null) throw new AppError('community_closing');
  if (has_admin === 0) throw new AppError('community_has_no_admin');
}
