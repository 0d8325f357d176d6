import type { MatchingPostMessage } from '#contract/live-messages.ts';
import { ContactLimited } from '#web/ui/contact-limited.tsx';
import { ContactLinks } from '#web/ui/contact-links.tsx';

/** How to reach whoever posted; a day's notices carry only so many numbers. */
export function NoticeContact({ message }: { message: MatchingPostMessage }) {
  if (message.is_contact_limited) return <ContactLimited postId={message.post_id} opensAt={message.contact_opens_at} />;
  return message.phone_number && <ContactLinks phone={message.phone_number} title={message.title} />;
}
