import type { Member } from '#worker/matching/reading/read-members.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { compareAttributes, compareColours, isAnimal } from './compare-items.ts';
import type { Evidence } from './evidence.ts';
import { NO_EVIDENCE, withoutReason } from './evidence.ts';

const SAME_GROUP_POINTS = 0.3;
/** Some of them may have been found: possible, and not certain. */
const PART_OF_GROUP_POINTS = -0.3;
/** A red one is none of the black ones and the white one. */
const OTHER_MEMBER_POINTS = -0.8;

/** Two groups as sets of so many, of a colour and a sex: each that was found must be one that was lost. */
export function compareGroups(lost: PostReading, found: PostReading): Evidence {
  if (!isGroup(lost) && !isGroup(found)) return NO_EVIDENCE;
  const [left, right] = [membersOf(lost), membersOf(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const free = new Set(left);
  for (const member of right) {
    const twin = [...free].find((other) => isLike(other, member));
    if (twin === undefined) return withoutReason(OTHER_MEMBER_POINTS);
    free.delete(twin);
  }
  return withoutReason(free.size === 0 ? SAME_GROUP_POINTS : PART_OF_GROUP_POINTS);
}

/** "One lace white, the other black" tells laces apart, and not the shoes. */
function isGroup({ members, heads }: PostReading): boolean {
  return members.length > 0 && heads.some((head) => isAnimal(head) || (head.count ?? 1) > 1);
}

/** A post that tells no members apart names one kind of them. */
function membersOf({ members, heads }: PostReading): Member[] {
  if (members.length > 0) return members;
  const [head] = heads;
  if (head === undefined || head.colours.size + head.attributes.size === 0) return [];
  return [{ count: head.count ?? 1, colours: head.colours, attributes: head.attributes }];
}

function isLike(lost: Member, found: Member): boolean {
  if (lost.count !== null && found.count !== null && found.count > lost.count) return false;
  const isAlike = compareColours(lost.colours, found.colours, true).points >= 0;
  return isAlike && compareAttributes(lost.attributes, found.attributes).points >= 0;
}
