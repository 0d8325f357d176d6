const DOCUMENT = new RegExp(
  [
    String.raw`\b(?:ma)?(?:kitambulisho|vitambulisho|leseni|pasipoti|pasi ya kusafiria|vyeti|cheti|hati|nyaraka)\b`,
    String.raw`\bkadi (?:ya|za) (?:benki|bima|kura|mpiga ?kura|kupigia kura|nhif|chanjo|gari|pikipiki|shule|chuo|kazi|mkopo)\b`,
    String.raw`\b(?:nida|nhif|passports?|licen[cs]es?|certificates?|documents?|birth cert\w*|visa cards?|master ?cards?|atm)\b`,
    String.raw`\b(?:id|identity|bank|debit|credit|voter'?s?|insurance|student|staff) ?cards?\b`,
    String.raw`\b(?:national|student|school|university|work|staff|my|an) id\b|\bids\b`,
  ].join('|'),
);
/** What a document may lie in: then that is what is in the picture. */
const HOLDER = /\b(?:pochi|mkoba|mikoba|begi|mabegi|wallets?|purses?|(?:hand)?bags?|backpacks?|simu|phones?)\b/;

export function namesDocument(text: string): boolean {
  return DOCUMENT.test(text.toLowerCase());
}

/** Whether the title alone is of a document. The Worker, which reads the whole post, has the last word. */
export function isAboutDocument(title: string): boolean {
  return namesDocument(title) && !HOLDER.test(title.toLowerCase());
}
