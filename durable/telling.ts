import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';

/** Ways to reach a person whose page is closed, in their turn. */
export const CHANNELS = ['push', 'whatsapp', 'email'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What comes of a channel's turn: `drop` is for good, `hold` until the quiet hours end. */
export type Step = 'send' | 'send_silently' | 'hold' | 'drop';

/**
 * What comes of a notice whose turn it is. From the top: the first row that holds, and says something of the channel,
 * decides. docs/reliability.md shows this table.
 */
export const TELLING = [
  { when: 'ended', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'absent', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'unwanted', push: 'drop', whatsapp: 'drop', email: 'drop' },
  { when: 'phone_lost', push: null, whatsapp: 'drop', email: 'send' },
  { when: 'asleep', push: 'send_silently', whatsapp: 'hold', email: 'hold' },
  { when: 'awake', push: 'send', whatsapp: 'send', email: 'send' },
] as const satisfies readonly ({ when: string } & Record<Channel, Step | null>)[];
type Row = (typeof TELLING)[number];
/** A row's, or that the day's messages have been sent. */
export type State = Row['when'] | 'full';

/** What goes by push alone is not listed. */
const TOLD_BY: Partial<Record<string, readonly Channel[]>> = {
  matching_post: CHANNELS,
  claim_received: ['push', 'email'],
  claim_asked: ['push', 'email'],
  claim_replied: ['push', 'email'],
  claim_accepted: ['push', 'email'],
  claim_declined: ['push', 'email'],
  claim_withdrawn: ['push', 'email'],
  claim_closed: ['push', 'email'],
  handed_over: ['push', 'email'],
};

/** The channels that a notice goes by. */
export function channelsFor(type: LiveMessage['type']): readonly Channel[] {
  return TOLD_BY[type] ?? ['push'];
}

/** When each channel's turn comes, from the storing on, and how many messages a day each of WhatsApp and e-mail may send. */
export type TellingRules = { afterMs: Record<Channel, number>; messagesADay: number };

/** What the database knows of a person and of the notices that are to be told. */
export type Reach = {
  language: Language;
  /** Browsers that a push may go to. */
  subscriptionIds: string[];
  /** A number, or an address, that is proven and that we can write to. */
  has: { whatsapp: boolean; email: boolean };
  wants: Record<Channel, boolean>;
  /** Minutes of the day in Tanzania; null where there are none. */
  quietHours: { from: number; to: number } | null;
  /** Those of the notices that nobody has read, and whether each is about the person's own lost phone or SIM. */
  unread: Map<string, { isOfLostPhone: boolean }>;
};

export type Turn = { messageId: string; channel: Channel; dueAt: number; isHeld: boolean };
export type Decision = { step: Step | 'wait'; state: State };

/** @param sentToday messages of the channel. */
export function decide(turn: Turn, reach: Reach, rules: TellingRules, sentToday: number, now: number): Decision {
  const { state, step } = findRow(turn, reach, now);
  // Whoever has lost their phone has the e-mail alone: it does not wait for its turn.
  const isAtOnce = state === 'phone_lost' && step === 'send';
  if (turn.dueAt > now && !isAtOnce) return { step: 'wait', state };
  const isFull = turn.channel !== 'push' && step === 'send' && sentToday >= rules.messagesADay;
  return isFull ? { step: 'drop', state: 'full' } : { step, state };
}

function findRow(turn: Turn, reach: Reach, now: number): { state: Row['when']; step: Step } {
  for (const { when: state, [turn.channel]: step } of TELLING) {
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
      return reach.unread.get(messageId)?.isOfLostPhone === true;
    case 'asleep':
      return endOfQuiet(reach.quietHours, now) !== null;
    case 'awake':
      return true;
  }
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** Africa/Dar_es_Salaam, which knows no summer time. */
const AHEAD_OF_UTC_MINUTES = 3 * 60;

/** When the quiet hours end that `now` lies in, in milliseconds; null outside of them. They may span midnight. */
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
