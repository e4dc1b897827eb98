/** Browser replacement of `node:url`, for URLs of files that the page was given. */
import { missingModule } from './missing.ts';

export const pathToFileURL = (path: string): URL =>
  new URL(`file://${path.split('/').map(encodeURIComponent).join('/')}`);
export const fileURLToPath = (url: string | URL): string => decodeURIComponent(new URL(url).pathname);
export const { format } = missingModule('node:url');
export default { fileURLToPath, format, pathToFileURL };
