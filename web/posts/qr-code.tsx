import { create } from 'qrcode/lib/core/qrcode.js';

/** The standard's quiet zone, in modules: scanners need the white around the code. */
const QUIET_ZONE_MODULES = 4;

/** Black on white, sharp at any size, with its quiet zone. */
export function QrCode({ content }: { content: string }) {
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
