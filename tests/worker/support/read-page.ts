/** What a program reads of a page: its tags by their names, its links by what they are to it, and its language. */
export async function readPage(page: string) {
  const found = { tags: {} as Record<string, string>, links: {} as Record<string, string>, buttons: [] as string[] };
  const texts = { language: '', title: '' };
  await new HTMLRewriter()
    .on('html', {
      element(html) {
        texts.language = html.getAttribute('lang') ?? '';
      },
    })
    .on('title', {
      text({ text }) {
        texts.title += text;
      },
    })
    .on('meta', {
      element(meta) {
        const name = meta.getAttribute('property') ?? meta.getAttribute('name');
        if (name !== null) found.tags[name] = unescapeHtml(meta.getAttribute('content') ?? '');
      },
    })
    .on('link', {
      element(link) {
        const name = [link.getAttribute('rel'), link.getAttribute('hreflang')].filter(Boolean).join(' ');
        found.links[name] = link.getAttribute('href') ?? '';
      },
    })
    .on('a.button', {
      element(link) {
        found.buttons.push(link.getAttribute('href') ?? '');
      },
    })
    .transform(new Response(page))
    .text();
  return { ...found, language: texts.language, title: unescapeHtml(texts.title) };
}

function unescapeHtml(text: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => signs[name] ?? '');
}
