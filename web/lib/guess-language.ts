import type { Language } from '#contract/language.ts';

/** Small words and the verbs of losing and finding, which hardly a post does without. None belongs to both languages. */
const WORDS: Record<Language, RegExp> = {
  en: /\b(?:a|an|the|my|your|his|her|of|in|on|at|near|with|and|is|was|were|it|i|has|have|lost|found|missing|picked|please|black|white|red|blue|green|brown|small|big|phone|card|wallet|keys?|bag|passport|school|bus|station)\b/g,
  sw: /\b(?:ya|wa|za|la|cha|vya|kwa|na|ni|katika|kwenye|pamoja|yangu|wangu|langu|changu|zangu|yenye|lenye|chenye|wenye|mtu|jina|simu|kitambulisho|pochi|begi|mkoba|funguo|kadi|leseni|nyeusi|nyeupe|nyekundu|jeusi|jekundu|ndogo|kubwa|shule|stendi|tafadhali|(?:ni|i|ki|u|li|ya|vi|zi|tu|wa|a)(?:me|li)\p{L}{4,})\b/gu,
};

/** The language that the text is written in, or null where that cannot be told simply: too few words, or both. */
export function guessLanguage(text: string): Language | null {
  const folded = text.toLowerCase();
  const [english, swahili] = [count(folded, WORDS.en), count(folded, WORDS.sw)];
  if (english === swahili) return null;
  return english > swahili ? 'en' : 'sw';
}

function count(text: string, words: RegExp): number {
  return text.match(words)?.length ?? 0;
}
