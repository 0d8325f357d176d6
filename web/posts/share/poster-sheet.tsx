import type { TFunction } from 'i18next';
import i18next from 'i18next';
import { create } from 'qrcode/lib/core/qrcode.js';
import { useTranslation } from 'react-i18next';
import type { Language } from '#contract/language.ts';
import { sharePath } from '#contract/links.ts';
import type { Post } from '#contract/posts.ts';
import { formatDate } from '#web/lib/format.ts';
import { POSTER_LANGUAGES, PosterHeader } from '#web/ui/print-sheet.tsx';

type Words = { language: Language; t: TFunction<'sharing'> };

const STRIPS = 8;
/** The longest titles, in characters, that are printed in large and in middle-sized letters. */
const TITLE_CHARS = { large: 24, middle: 60 };

function wordsOfAll(): Words[] {
  return POSTER_LANGUAGES.map((language) => ({ language, t: i18next.getFixedT(language, 'sharing') }));
}

/**
 * The poster: a small preview on the screen, a full page on paper.
 * @param shown the post as visitors see it; null leaves the item's details out of the poster.
 * @param phone the phone number that the author wants printed.
 */
export function PosterSheet({ postId, shown, phone }: { postId: string; shown: Post | null; phone: string | null }) {
  const { t } = useTranslation('sharing');
  const words = wordsOfAll();
  const address = window.location.host + sharePath(postId);
  const url = window.location.origin + sharePath(postId);
  return (
    <div className="sheet-preview">
      <section className="print-sheet poster" aria-label={t('sheet')}>
        <PosterHeader />
        {shown === null ? <Unnamed words={words} /> : <Named words={words} post={shown} />}
        <div className="poster-code">
          <QrCode content={url} />
          <div>
            {words.map(({ language, t: say }) => (
              <div key={language} lang={language}>
                {shown && <h3>{say(`poster.question.${shown.posted_by}`)}</h3>}
                <p>{say(shown ? 'poster.scan' : 'poster.scanForMembers')}</p>
                <p>{say('poster.free')}</p>
              </div>
            ))}
            {phone && <p className="poster-phone">{phone}</p>}
          </div>
        </div>
        <Strips {...{ words, shown, phone, url, address }} />
      </section>
    </div>
  );
}

function Unnamed({ words }: { words: Words[] }) {
  return words.map(({ language, t }) => (
    <h2 key={language} lang={language} className="poster-middle">
      {t('poster.unnamed')}
    </h2>
  ));
}

function Named({ words, post }: { words: Words[]; post: Post }) {
  const [photo] = post.photos;
  return (
    <>
      <p className="poster-kind">
        {words.map(({ language, t }) => (
          <span key={language} lang={language}>
            {t(`poster.kind.${post.posted_by}`)}
          </span>
        ))}
      </p>
      <h2 dir="auto" className={`poster-${sizeOf(post.title)}`}>
        {post.title}
      </h2>
      <dl>
        <dt>{inEach(words, (t) => t('poster.place'))}</dt>
        <dd dir="auto">{post.location}</dd>
        <dt>{inEach(words, (t) => t('poster.date'))}</dt>
        <dd>{words.map(({ language }) => formatDate(post.created_at, language)).join(' / ')}</dd>
      </dl>
      {photo && <img className="poster-photo" src={photo.url} alt={photo.alt} />}
    </>
  );
}

function sizeOf({ length }: string): 'large' | 'middle' | 'small' {
  if (length <= TITLE_CHARS.large) return 'large';
  return length <= TITLE_CHARS.middle ? 'middle' : 'small';
}

function inEach(words: Words[], say: (t: Words['t']) => string): string {
  return words.map(({ t }) => say(t)).join(' / ');
}

/** Strips to tear off, each with the post's QR code and link. */
function Strips({
  words,
  shown,
  phone,
  url,
  address,
}: {
  words: Words[];
  shown: Post | null;
  phone: string | null;
  url: string;
  address: string;
}) {
  return (
    <div className="poster-strips" aria-hidden="true">
      {Array.from({ length: STRIPS }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all strips are alike
        <div key={at}>
          <QrCode content={url} />
          {shown && <b>{inEach(words, (t) => t(`poster.kind.${shown.posted_by}`))}</b>}
          {shown && (
            <span dir="auto" className="poster-strip-title">
              {shown.title}
            </span>
          )}
          {phone && <b>{phone}</b>}
          <span className="poster-address">{address}</span>
        </div>
      ))}
    </div>
  );
}

/** The white margin that scanners need around a QR code, in modules (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4;

/** A QR code with its white margin, drawn in black as an SVG. */
function QrCode({ content }: { content: string }) {
  const { modules } = create(content, { errorCorrectionLevel: 'M' });
  const side = modules.size + 2 * QUIET_ZONE_MODULES;
  const dark = Array.from(modules.data, (isDark, at) => (isDark ? squareAt(at, modules.size) : ''));
  return (
    <svg viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" role="img" aria-label={content}>
      <rect width={side} height={side} fill="#ffffff" />
      <path d={dark.join('')} fill="#000000" />
    </svg>
  );
}

function squareAt(at: number, size: number): string {
  const [x, y] = [at % size, Math.floor(at / size)];
  return `M${x + QUIET_ZONE_MODULES} ${y + QUIET_ZONE_MODULES}h1v1h-1z`;
}
