/** The file of `qrcode` that computes a QR code. The package's main entry would also load canvas code. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
