import * as z from 'zod/mini';
import type { Device } from '#contract/devices.ts';
import type { RowOf } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';

/** Browsers by their user agent, the more specific first: most of them also claim to be Chrome and Safari. */
const BROWSERS: readonly [sign: RegExp, name: string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [sign: RegExp, name: string][] = [
  [/\bKAIOS\//, 'KaiOS'],
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A device's name for people, such as "Chrome, Android"; empty for an unknown user agent. */
export function nameDevice(userAgent: string): string {
  const find = (names: typeof BROWSERS) => names.find(([sign]) => sign.test(userAgent))?.[1] ?? [];
  return [find(BROWSERS), find(SYSTEMS)].flat().join(', ');
}

export const deviceRow = () =>
  z.object({ id: z.string(), name: z.string(), created_at: z.number(), last_seen_at: z.number() });

export function presentDevice({ id, name, ...times }: RowOf<typeof deviceRow>, { sessionId }: Viewer): Device {
  return {
    id,
    name,
    created_at: new Date(times.created_at).toISOString(),
    last_seen_at: new Date(times.last_seen_at).toISOString(),
    is_this: id === sessionId,
  };
}
