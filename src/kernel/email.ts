/** The address syntax of HTML: ASCII, so that upper and lower case mean the same to every program. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Normalizes an address for storage and comparison: without surrounding white space, in lower case
 * independent of the locale.
 */
export const normalizeEmail = (text: string): string => text.trim().toLowerCase()

export const isEmail = (text: string): boolean => EMAIL.test(normalizeEmail(text))
