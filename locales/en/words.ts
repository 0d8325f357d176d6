/**
 * Common English words, and the English verbs of losing and finding. The app counts these words to guess whether a text
 * is English. So no other language of the app may have these words, and nearly every English post must contain one.
 */
export const commonWords =
  /\b(?:a|an|the|my|your|his|her|of|in|on|at|near|with|and|is|was|were|it|i|has|have|lost|found|missing|picked|please|black|white|red|blue|green|brown|small|big|phone|card|wallet|keys?|bag|passport|school|bus|station)\b/g;
