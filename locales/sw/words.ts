/**
 * Common Swahili words, and the Swahili verbs of losing and finding. No other language of the app has these words.
 * Nearly every post contains one.
 */
export const commonWords =
  /\b(?:ya|wa|za|la|cha|vya|kwa|na|ni|katika|kwenye|pamoja|yangu|wangu|langu|changu|zangu|yenye|lenye|chenye|wenye|mtu|jina|simu|kitambulisho|pochi|begi|mkoba|funguo|kadi|leseni|nyeusi|nyeupe|nyekundu|jeusi|jekundu|ndogo|kubwa|shule|stendi|tafadhali|(?:ni|i|ki|u|li|ya|vi|zi|tu|wa|a)(?:me|li)\p{L}{4,})\b/gu;
