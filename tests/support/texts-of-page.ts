const SIGNS: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** What a page says, piece by piece, to whoever hears it read. */
export function textsOfPage(markup: string): string[] {
  return markup
    .replace(/<head>[\s\S]*<\/head>/, '')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => SIGNS[name] ?? '').trim())
    .filter((text) => text !== '');
}
