/** The part of `qrcode` that makes PNGs; the package's main entry picks a canvas in a Worker. */
declare module 'qrcode/lib/server.js' {
  export { create, toBuffer } from 'qrcode';
}
