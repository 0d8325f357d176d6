const MAKE = '(?:iphone|tecno|samsung|infinix|itel|nokia|huawei|xiaomi|redmi|oppo|vivo|realme)';
const PHONE = `(?:simu|ximu|(?:smart|cell)?phones?|f?phn|fone|kitochi|${MAKE})`;
const SIM_CARD = [
  'sim|sim ?cards?|laini|lines? (?:ya|za|yangu|zangu)',
  String.raw`(?:my|voda\w*|airtel|tigo|yas|halotel|ttcl|zantel) line`,
].join('|');
const OTHER_DEVICE = [
  '(?:tab|tablets?|tabuleti|ipad|kishi?kwambi|tv|televisheni|runinga|laptop|router|modem|(?:smart ?)?watch|saa',
  'buds|ear(?:phone|pod|bud)s?|headphones?)',
].join('|');
const PART = '(?:covers?|cases?|(?:ma)?kava|chargers?|chaja|chaji|cables?|waya|kioo|screen|betri|holder|protector)';

/** Where a phone is named but not what is lost: a way to be reached, a part, or another device of the same make. */
const IN_PASSING = new RegExp(
  [
    String.raw`\b\w*pigi?[ae]\w* simu\b`,
    String.raw`\b(?:kwa|namba (?:ya|za|yangu ya)) simu\b`,
    String.raw`\b(?:simu|phone|line|laini)(?: yangu| ni| is)*(?: (?:namba|number|no)\b|\W*\+?\d{6,})`,
    String.raw`\b(?:phone|mobile) (?:number|no|call)`,
    String.raw`\b${PART} (?:ya|la|za|cha|wa|for|of) (?:\w+ )?${PHONE}\b`,
    String.raw`\b${PHONE} ${PART}\b`,
    String.raw`\b${OTHER_DEVICE}\W+(?:\w+\W+)?${MAKE}\b`,
    String.raw`\b${MAKE}\W+(?:\w+\W+)?${OTHER_DEVICE}\b`,
  ].join('|'),
  'g',
);
const PHONE_OR_SIM_CARD = new RegExp(String.raw`\b(?:${PHONE}|cm (?:yangu|yng|ya|${MAKE})|${SIM_CARD})\b`);

/**
 * Whether a phone or a SIM card is among what the text is about. It says so once too often rather than once too
 * seldom: who lost the phone and gives its number cannot be reached.
 */
export function isAboutPhone(text: string): boolean {
  return PHONE_OR_SIM_CARD.test(text.toLowerCase().replaceAll(IN_PASSING, ' '));
}
