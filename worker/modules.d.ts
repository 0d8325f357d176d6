declare module '*.txt' {
  const text: string;
  export default text;
}

/**
 * The part of `qrcode` that makes PNGs. In a Worker, the package's main entry would choose the browser version, which
 * needs a canvas.
 */
declare module 'qrcode/lib/server.js' {
  export { create, toBuffer } from 'qrcode';
}
