const LETTERS: Readonly<Record<string, string>> = { ı: 'i', ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l' }

/**
 * Returns the name in ASCII for clients that support nothing else: ö becomes o, other characters an
 * underscore.
 */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ıßæøđł]/g, (letter) => LETTERS[letter] ?? '_')
    .replace(/[^\x20-\x7E]|["\\%]/g, '_')

/**
 * Returns the Content-Disposition of a download: the name in ASCII, followed by the full name (RFC 6266 and
 * 8187).
 */
export function attachment(fileName: string): string {
  const whole = Buffer.from(fileName).toString()
  const encoded = encodeURIComponent(whole).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain(whole)}"; filename*=UTF-8''${encoded}`
}
