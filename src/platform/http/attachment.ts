const LETTERS: Readonly<Record<string, string>> = { ı: 'i', ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l' }

/** The name in ASCII, for what knows no other: ö becomes o, what is left an underscore. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ıßæøđł]/g, (letter) => LETTERS[letter] ?? '_')
    .replace(/[^\x20-\x7E]|["\\%]/g, '_')

/** Content-Disposition of a file to keep, its name in full by RFC 6266 and 8187 and in ASCII before it. */
export function attachment(fileName: string): string {
  const whole = Buffer.from(fileName).toString()
  const encoded = encodeURIComponent(whole).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain(whole)}"; filename*=UTF-8''${encoded}`
}
