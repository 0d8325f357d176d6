import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

const TONES = {
  error: { look: 'bg-danger-soft text-danger', icon: 'alert' },
  success: { look: 'bg-found-soft text-found', icon: 'check' },
  notice: { look: 'bg-notice-soft text-notice', icon: 'alert' },
} satisfies Record<string, { look: string; icon: IconName }>;

/**
 * A message about a part of the screen. A screen reader announces an error when it appears, but other tones only if the
 * banner was rendered empty before. An empty banner takes no space.
 */
export function Banner({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  if (!children) return <div role="status" className="absolute" />;
  const { look, icon } = TONES[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={`flex items-start gap-2.5 rounded-xl px-4 py-3 ${look}`}
    >
      <Icon name={icon} className="mt-0.5 size-5" />
      <div>{children}</div>
    </div>
  );
}
