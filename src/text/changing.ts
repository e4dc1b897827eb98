/**
 * A value while it is made. Of thousands of objects each, properties that most of them lack are added where they are
 * there: a spread for each copies the object again.
 */
export type Changing<T> = { -readonly [K in keyof T]: T[K] };
