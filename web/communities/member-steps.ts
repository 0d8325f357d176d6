import type { CommunityMember, CommunityPage } from '#contract/communities.ts';
import { handOver, removeMember, setRole } from './api.ts';

export type MemberStep = 'promote' | 'demote' | 'handOver' | 'stepDown' | 'remove';
type Take = (id: string, userId: string) => Promise<unknown>;

/** What an admin does with a member, themselves included. */
export const MEMBER_STEPS: Record<MemberStep, Take> = {
  promote: (id: string, userId: string) => setRole(id, userId, 'admin'),
  demote: (id: string, userId: string) => setRole(id, userId, 'member'),
  handOver,
  stepDown: (id: string) => setRole(id, 'me', 'member'),
  remove: removeMember,
};

/** After which the reader runs the community no more. */
export function endsOwnOffice(step: MemberStep): boolean {
  return step === 'handOver' || step === 'stepDown';
}

/**
 * What can be done with that member: nothing with the last admin, who makes somebody else one first. Nobody becomes an
 * admin of a suspended community.
 */
export function stepsFor(
  member: CommunityMember,
  isReader: boolean,
  { admins, is_suspended }: CommunityPage,
): MemberStep[] {
  if (isReader) return admins.length > 1 ? ['stepDown'] : [];
  if (member.role === 'admin') return ['demote', 'remove'];
  return is_suspended ? ['remove'] : ['promote', 'handOver', 'remove'];
}
