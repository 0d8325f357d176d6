/** The part of `qrcode` that computes a code; the package's main entry brings canvases and more. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
