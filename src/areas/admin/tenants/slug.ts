import { SLUG_MAX_LENGTH } from './limits.ts'

/** Lower case words of ASCII letters and digits, joined by single hyphens. */
export const SLUG_PATTERN = '^[a-z0-9]+(?:-[a-z0-9]+)*$'

/** The letters that have no base letter in Unicode, or whose lower case is not ASCII. */
const FOLDED: Readonly<Record<string, string>> = { ı: 'i', ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l' }

/** A short name from a name: `Güneş Enerji A.Ş.` becomes `gunes-enerji-a-s`. Never empty. */
export function toSlug(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıßæøđł]/g, (letter) => FOLDED[letter] ?? letter)
  const slug = folded.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  // Room for a number that makes it unique.
  return slug.slice(0, SLUG_MAX_LENGTH - 10).replace(/-$/, '') || 'tenant'
}
