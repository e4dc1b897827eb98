/** Addresses of the files of a page. */
export const pathToFileURL = (path: string): URL =>
  new URL(`file://${path.split('/').map(encodeURIComponent).join('/')}`);
export const fileURLToPath = (url: string | URL): string => decodeURIComponent(new URL(url).pathname);
