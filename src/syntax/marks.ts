/** `"""` opens and closes a text. */
export const textMark = '"""';
