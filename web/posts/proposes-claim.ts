import { namesDocument } from './is-about-document.ts';
import { isAboutPhone } from './is-about-phone.ts';

const DEVICE = new RegExp(
  [
    String.raw`\b(?:laptops?|kompyuta|kompyuta ?mpakato|computers?|macbook|notebook|tablets?|tabuleti|ipads?|kishikwambi)\b`,
    String.raw`\b(?:kamera|cameras?|power ?banks?|flash(?: ?disks?| ?drives?)?|hard ?(?:disks?|drives?)|routers?|modem|airpods?|ear(?:phone|bud|pod)s?|headphones?)\b`,
    String.raw`\b(?:smart ?watch(?:es)?|televisheni|runinga|tv|redio|radio|spika|speakers?|projekta|projectors?|drones?)\b`,
  ].join('|'),
);

/** Whether what was found is something that many will say is theirs: a document, or a device that is worth having. */
export function proposesClaim(text: string): boolean {
  const plain = text.toLowerCase();
  return namesDocument(plain) || DEVICE.test(plain) || isAboutPhone(plain);
}
