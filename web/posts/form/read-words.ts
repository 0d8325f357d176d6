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

/**
 * Phrases in which "phone" is not the lost item: a way to contact the author ("phone number"), a part ("phone
 * charger"), or another device of a phone maker ("Samsung TV").
 */
const PHONE_IN_PASSING = new RegExp(
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

type Words = { title: string; description: string };

export function textOf({ title, description }: Words): string {
  return `${title}\n${description}`;
}

/**
 * Returns whether the text mentions a phone or SIM card as an item, perhaps beside other items. In doubt, returns true,
 * because the form must not fill in the number of the lost phone as the owner's contact.
 */
export function isAboutPhone(text: string): boolean {
  return PHONE_OR_SIM_CARD.test(text.toLowerCase().replaceAll(PHONE_IN_PASSING, ' '));
}

/** Returns whether the author has lost the phone or SIM card of their own number. */
export function isOfLostPhone(post: Words & { is_owner: boolean | null }): boolean {
  return post.is_owner === true && isAboutPhone(textOf(post));
}

const DOCUMENT = new RegExp(
  [
    String.raw`\b(?:ma)?(?:kitambulisho|vitambulisho|leseni|pasipoti|pasi ya kusafiria|vyeti|cheti|hati|nyaraka)\b`,
    String.raw`\bkadi (?:ya|za) (?:benki|bima|kura|mpiga ?kura|kupigia kura|nhif|chanjo|gari|pikipiki|shule|chuo|kazi|mkopo)\b`,
    String.raw`\b(?:nida|nhif|passports?|licen[cs]es?|certificates?|documents?|birth cert\w*|visa cards?|master ?cards?|atm)\b`,
    String.raw`\b(?:id|identity|bank|debit|credit|voter'?s?|insurance|student|staff) ?cards?\b`,
    String.raw`\b(?:national|student|school|university|work|staff|my|an) id\b|\bids\b`,
  ].join('|'),
);
/**
 * Words for items in which a document may be. If the title contains one, a photo probably shows this item and not the
 * document.
 */
const HOLDER = /\b(?:pochi|mkoba|mikoba|begi|mabegi|wallets?|purses?|(?:hand)?bags?|backpacks?|simu|phones?)\b/;

function namesDocument(text: string): boolean {
  return DOCUMENT.test(text.toLowerCase());
}

/**
 * Returns whether the title is about a document and nothing else. Only a first guess: the Worker reads the kind of item
 * from the whole post.
 */
export function isAboutDocument(title: string): boolean {
  return namesDocument(title) && !HOLDER.test(title.toLowerCase());
}

const DEVICE = new RegExp(
  [
    String.raw`\b(?:laptops?|kompyuta|kompyuta ?mpakato|computers?|macbook|notebook|tablets?|tabuleti|ipads?|kishikwambi)\b`,
    String.raw`\b(?:kamera|cameras?|power ?banks?|flash(?: ?disks?| ?drives?)?|hard ?(?:disks?|drives?)|routers?|modem|airpods?|ear(?:phone|bud|pod)s?|headphones?)\b`,
    String.raw`\b(?:smart ?watch(?:es)?|televisheni|runinga|tv|redio|radio|spika|speakers?|projekta|projectors?|drones?)\b`,
  ].join('|'),
);

/** Returns whether many people may claim the item: a document, a phone or another device. */
export function isWantedByMany(text: string): boolean {
  return namesDocument(text) || DEVICE.test(text.toLowerCase()) || isAboutPhone(text);
}

const VEHICLE = '(?:ma)?gari|pikipiki|bajaji?|cars?|motor ?(?:cycle|bike)s?';
/**
 * Phrases in which a vehicle is not the lost item but the place of the loss ("in a car") or the thing that the item
 * belongs to ("tyre of a car").
 */
const VEHICLE_IN_PASSING = new RegExp(
  String.raw`\b(?:(?:kwenye|katika|ndani ya|[chklvwyz]+[ao]|in|on|of|from|by|for)(?: (?:a|the|my|our|his|her))? (?:${VEHICLE})|(?:${VEHICLE}) (?:keys?|remote|helmet|battery|tyres?|jack|seats?|park|wash))\b`,
  'g',
);
const NAMES_VEHICLE = new RegExp(String.raw`\b(?:${VEHICLE})\b`);
const NAMES_PLATE = /\bnamba (?:ya|za) (?:gari|pikipiki|usajili)\b|\bnumber ?plates?\b|\bplate numbers?\b/;
/** Phrases that say where the item is now. "Office keys" is not such a phrase, although it contains "office". */
const KEEPER = new RegExp(
  [
    String.raw`\b(?:ofisini|mapokezi|(?:kituo cha|kwa|kwenye) polisi|(?:kwa|kwenye) (?:ofisi|mlinzi|walinzi))\b`,
    String.raw`\b(?:at|in|with|to) (?:(?:the|an?|our) )?(?:\w+ )?(?:police|office|guards?|reception)\b`,
  ].join('|'),
);
const SOMEBODY_ELSE = new RegExp(
  [
    String.raw`\b(?:kwa niaba ya|on behalf of)\b`,
    String.raw`\b(?:mama|baba|dada|kaka|bibi|babu|shangazi|mjomba|rafiki|jirani|mtoto|mume|mke|mgeni)(?: (?:y|w)angu| (?:y|w)etu)\b`,
    String.raw`\b(?:mwanangu|mdogo wangu|mwenzangu|mwanafunzi wangu)\b`,
    String.raw`\b(?:my|our) (?:mother|mum|mom|father|dad|sister|brother|son|daughter|child|kid|wife|husband|friend|neighbou?r|colleague|guest|uncle|aunt|grand(?:mother|father|ma|pa))\b`,
  ].join('|'),
);

/** A field in "More details" that the form suggests for certain texts of a post. */
export type LikelyDetail = 'identifier' | 'kept_at' | 'on_behalf';

/** Returns the fields in "More details" that a post with this text probably needs, most useful first. */
export function findLikelyDetails(text: string): LikelyDetail[] {
  const plain = text.toLowerCase();
  const isVehicle = NAMES_PLATE.test(plain) || NAMES_VEHICLE.test(plain.replaceAll(VEHICLE_IN_PASSING, ' '));
  const likely: LikelyDetail[] = [];
  if (isWantedByMany(plain) || isVehicle) likely.push('identifier');
  if (KEEPER.test(plain)) likely.push('kept_at');
  if (SOMEBODY_ELSE.test(plain)) likely.push('on_behalf');
  return likely;
}
