/**
 * Common Swahili words, and Swahili verbs in the perfect or past, such as "nimepoteza" (I have lost). The app counts
 * these words to guess whether a text is Swahili. So no other language of the app may have these words, and nearly
 * every Swahili post must contain one.
 */
export const commonWords =
  /\b(?:ya|wa|za|la|cha|vya|kwa|na|ni|katika|kwenye|pamoja|yangu|wangu|langu|changu|zangu|yenye|lenye|chenye|wenye|mtu|jina|simu|kitambulisho|pochi|begi|mkoba|funguo|kadi|leseni|nyeusi|nyeupe|nyekundu|jeusi|jekundu|ndogo|kubwa|shule|stendi|tafadhali|(?:ni|i|ki|u|li|ya|vi|zi|tu|wa|a)(?:me|li)\p{L}{4,})\b/gu;
