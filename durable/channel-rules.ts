import { MINUTE_MS } from '#contract/durations.ts';
import { CHANNELS, type Channel, type TurnOutcome } from '#contract/jobs.ts';
import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';

/** What to do with a notice when it is due on a channel: `drop` is final, `hold` waits until the quiet hours end. */
type Step = 'send' | 'send_silently' | 'hold' | 'drop';

/**
 * What to do with a notice that is due on a channel. Of the rows whose `when` is true, the first one with a value other
 * than null for the channel decides.
 * `ended`: the notice was read or withdrawn. `absent`: the person has no push subscription, phone number or e-mail
 * address for the channel. `unwanted`: the person has switched the channel off. `asleep`: the person has quiet hours
 * now.
 */
const CHANNEL_RULES = [
  { when: 'ended', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'absent', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'unwanted', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'phone_lost', push: null, whatsapp: 'drop', email: 'send' },
  { when: 'asleep', push: 'send_silently', whatsapp: 'hold', email: 'hold' },
  { when: 'awake', push: 'send', whatsapp: 'send', email: 'send' },
] as const satisfies readonly ({ when: TurnOutcome } & Record<Channel, Step | null>)[];
type Row = (typeof CHANNEL_RULES)[number];

/** The channels of each type of notice. Types that are not listed use push only. */
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

export function channelsFor(type: LiveMessage['type']): readonly Channel[] {
  return CHANNELS_OF[type] ?? ['push'];
}

/**
 * How long after its creation a notice is due on each channel, and how many WhatsApp messages or e-mails a person may
 * get per day.
 */
export type ChannelLimits = { afterMs: Record<Channel, number>; messagesADay: number };

/** What the database knows about a person and about their due notices. */
export type Reach = {
  language: Language;
  /** The person's push subscriptions, one per browser. */
  subscriptionIds: string[];
  /** Whether the person has a proven phone number or e-mail address that we can write to. */
  has: { whatsapp: boolean; email: boolean };
  wants: Record<Channel, boolean>;
  /** In minutes since midnight in Tanzania; null if the person has no quiet hours. */
  quietHours: { from: number; to: number } | null;
  /** The ids of the due notices that are unread. */
  unread: Set<string>;
  /** Whether the person has an open post about the loss of their own phone or SIM. */
  hasLostPhone: boolean;
};

export type Turn = { messageId: string; channel: Channel; dueAt: number; isHeld: boolean };
type Decision = { step: Step | 'wait'; state: TurnOutcome };

/** @param sentToday how many messages the person was sent on the channel today. */
export function decide(turn: Turn, reach: Reach, rules: ChannelLimits, sentToday: number, now: number): Decision {
  const { state, step } = findRow(turn, reach, now);
  // If the person has lost their phone, only e-mail reaches them, so it is sent at once (docs/product.md V23).
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

/**
 * Returns the time at which the current quiet hours end, in milliseconds since 1970; null outside of quiet hours. Quiet
 * hours may span midnight.
 */
export function endOfQuiet(quietHours: Reach['quietHours'], now: number): number | null {
  if (quietHours === null) return null;
  const minute = Math.floor(now / MINUTE_MS);
  const minutesSince = (time: number) => toMinuteOfDay(minute + AHEAD_OF_UTC_MINUTES - time);
  const length = toMinuteOfDay(quietHours.to - quietHours.from);
  const passed = minutesSince(quietHours.from);
  return passed < length ? (minute + length - passed) * MINUTE_MS : null;
}

function toMinuteOfDay(minutes: number): number {
  return ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}
