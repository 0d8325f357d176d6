const SIGNS: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** Returns the page's texts, piece by piece, as a screen reader reads them. */
export function textsOfPage(markup: string): string[] {
  return markup
    .replace(/<head>[\s\S]*<\/head>/, '')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => SIGNS[name] ?? '').trim())
    .filter((text) => text !== '');
}
