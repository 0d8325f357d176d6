/** The part of `qrcode` that computes a code. The package's main entry adds canvases and more. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
