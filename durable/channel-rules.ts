import { MINUTE_MS } from '#contract/durations.ts';
import { CHANNELS, type Channel, type TurnOutcome } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';

/** What happens at a channel's turn: `drop` is final, `hold` lasts until the quiet hours end. */
export type Step = 'send' | 'send_silently' | 'hold' | 'drop';

/**
 * What happens to a notice at a channel's turn. The first row from the top that applies and is not null for the channel
 * decides.
 */
export const CHANNEL_RULES = [
  { when: 'ended', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'absent', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'unwanted', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'phone_lost', push: null, whatsapp: 'drop', email: 'send' },
  { when: 'asleep', push: 'send_silently', whatsapp: 'hold', email: 'hold' },
  { when: 'awake', push: 'send', whatsapp: 'send', email: 'send' },
] as const satisfies readonly ({ when: TurnOutcome } & Record<Channel, Step | null>)[];
type Row = (typeof CHANNEL_RULES)[number];

/** Types that are not listed go by push only. */
const CHANNELS_OF: Partial<Record<string, readonly Channel[]>> = {
  matching_post: CHANNELS,
  claim_received: ['push', 'email'],
  claim_asked: ['push', 'email'],
  claim_replied: ['push', 'email'],
  claim_accepted: ['push', 'email'],
  claim_declined: ['push', 'email'],
  claim_withdrawn: ['push', 'email'],
  claim_closed: ['push', 'email'],
  claim_paused: ['push', 'email'],
  handed_over: ['push', 'email'],
};

/** The channels that a notice goes by. */
export function channelsFor(type: LiveMessage['type']): readonly Channel[] {
  return CHANNELS_OF[type] ?? ['push'];
}

/** How long after storing each channel's turn comes, and how many messages a day WhatsApp and e-mail may each send. */
export type ChannelLimits = { afterMs: Record<Channel, number>; messagesADay: number };

/** What the database knows about a person and about the notices that are due. */
export type Reach = {
  language: Language;
  /** The browsers that get pushes. */
  subscriptionIds: string[];
  /** Whether there is a proven number or address that we can write to. */
  has: { whatsapp: boolean; email: boolean };
  wants: Record<Channel, boolean>;
  /** In minutes of the day in Tanzania; null for none. */
  quietHours: { from: number; to: number } | null;
  /** The unread ones of the notices. */
  unread: Set<string>;
  /** Whether an open post says that the person has lost their own phone or SIM. */
  hasLostPhone: boolean;
};

export type Turn = { messageId: string; channel: Channel; dueAt: number; isHeld: boolean };
export type Decision = { step: Step | 'wait'; state: TurnOutcome };

/** @param sentToday how many messages the channel has sent today. */
export function decide(turn: Turn, reach: Reach, rules: ChannelLimits, sentToday: number, now: number): Decision {
  const { state, step } = findRow(turn, reach, now);
  // After losing their phone a person has only the e-mail, so it does not wait for its turn (docs/product.md V23).
  const isAtOnce = state === 'phone_lost' && step === 'send';
  if (turn.dueAt > now && !isAtOnce) return { step: 'wait', state };
  const isFull = turn.channel !== 'push' && step === 'send' && sentToday >= rules.messagesADay;
  return isFull ? { step: 'drop', state: 'full' } : { step, state };
}

function findRow(turn: Turn, reach: Reach, now: number): { state: Row['when']; step: Step } {
  for (const { when: state, [turn.channel]: step } of CHANNEL_RULES) {
    if (step !== null && holds(state, turn, reach, now)) return { state, step };
  }
  return { state: 'ended', step: 'drop' };
}

function holds(when: Row['when'], { messageId, channel }: Turn, reach: Reach, now: number): boolean {
  switch (when) {
    case 'ended':
      return !reach.unread.has(messageId);
    case 'absent':
      return channel === 'push' ? reach.subscriptionIds.length === 0 : !reach.has[channel];
    case 'unwanted':
      return !reach.wants[channel];
    case 'phone_lost':
      return reach.hasLostPhone;
    case 'asleep':
      return endOfQuiet(reach.quietHours, now) !== null;
    case 'awake':
      return true;
  }
}

const DAY_MINUTES = 24 * 60;
/** Africa/Dar_es_Salaam has no daylight saving time. */
const AHEAD_OF_UTC_MINUTES = 3 * 60;

/** When the current quiet hours end, in milliseconds; null outside of them. They may span midnight. */
export function endOfQuiet(quietHours: Reach['quietHours'], now: number): number | null {
  if (quietHours === null) return null;
  const minute = Math.floor(now / MINUTE_MS);
  const minutesSince = (time: number) => modulo(minute + AHEAD_OF_UTC_MINUTES - time, DAY_MINUTES);
  const length = modulo(quietHours.to - quietHours.from, DAY_MINUTES);
  const passed = minutesSince(quietHours.from);
  return passed < length ? (minute + length - passed) * MINUTE_MS : null;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
