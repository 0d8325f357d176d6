/** Words about money, in both languages: nobody has to pay before a thing is handed over. */
const WORDS = [
  'pesa|hela|fedha|nauli|malipo|gharama|ada|ujira|vocha|muamala|wakala|lipa namba',
  '\\p{L}{0,9}lip(?:a|e|ia|ie|wa|we)',
  'shilingi|tshs?|tzs|shs?|ksh|usd|dola|m-?pesa|tigo ?pesa|airtel money|halo-?pesa|mixx',
  '(?:ni|uni|tu|uta)?tum(?:a|e|ia|ie) (?:kwanza )?(?:elfu|laki|\\d)',
  'money|cash|pay|pays|paid|paying|payments?|fees?|fare|deposit|transfer|bribe|rewards?|airtime|voucher|control number',
  'shillings?|dollars?|bucks|send (?:me )?(?:first )?\\d',
].join('|');

const MONEY = new RegExp(
  `(?<!\\p{L})(?:${WORDS})(?!\\p{L})|[$£€] ?\\d|\\d(?: ?\\/[=-]| ?(?:elfu|laki|tshs?|tzs)|k)(?!\\p{L})`,
  'iu',
);

/** Whether a text mentions money. It is delivered all the same, with a warning. */
export function speaksOfMoney(text: string): boolean {
  return MONEY.test(text.normalize('NFKC').replace(/\s+/g, ' '));
}
