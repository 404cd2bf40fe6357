/** The address syntax of HTML: ASCII, so that upper and lower case mean the same to every program. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Normalizes an address for storage and comparison: without surrounding white space, in lower case
 * independent of the locale.
 */
export const normalizeEmail = (text: string): string => text.trim().toLowerCase()

export const isEmail = (text: string): boolean => EMAIL.test(normalizeEmail(text))

const DOT_INSENSITIVE = new Set(['gmail.com', 'googlemail.com'])

/**
 * Returns the same key for addresses that usually are delivered to one mailbox: without the part after a
 * plus sign, at Gmail without dots. For counting mails; accounts are distinguished by the whole address.
 */
export function mailboxKey(text: string): string {
  const email = normalizeEmail(text)
  const at = email.lastIndexOf('@')
  if (at < 0) return email
  const domain = email.slice(at + 1)
  const local = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return DOT_INSENSITIVE.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
