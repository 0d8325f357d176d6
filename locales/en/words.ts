/**
 * Common English words, and the English verbs of losing and finding. No other language of the app has these words.
 * Nearly every English post contains one of these words.
 */
export const commonWords =
  /\b(?:a|an|the|my|your|his|her|of|in|on|at|near|with|and|is|was|were|it|i|has|have|lost|found|missing|picked|please|black|white|red|blue|green|brown|small|big|phone|card|wallet|keys?|bag|passport|school|bus|station)\b/g;
