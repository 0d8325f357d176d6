import { isAboutPhone } from './is-about-phone.ts';

const DOCUMENT = new RegExp(
  [
    String.raw`\b(?:ma)?(?:kitambulisho|vitambulisho|leseni|pasipoti|pasi ya kusafiria|vyeti|cheti|hati|nyaraka)\b`,
    String.raw`\bkadi (?:ya|za) (?:benki|bima|kura|mpiga ?kura|kupigia kura|nhif|chanjo|gari|pikipiki|shule|chuo|kazi|mkopo)\b`,
    String.raw`\b(?:nida|nhif|passports?|licen[cs]es?|certificates?|documents?|birth cert\w*|visa cards?|master ?cards?|atm)\b`,
    String.raw`\b(?:id|identity|bank|debit|credit|voter'?s?|insurance|student|staff) ?cards?\b`,
    String.raw`\b(?:national|student|school|university|work|staff|my|an) id\b|\bids\b`,
  ].join('|'),
);
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
  return DOCUMENT.test(plain) || DEVICE.test(plain) || isAboutPhone(plain);
}
