import { SLUG_MAX_LENGTH } from './limits.ts'

/** Lower-case words of ASCII letters and digits, joined by single hyphens. */
export const SLUG_PATTERN = '^[a-z0-9]+(?:-[a-z0-9]+)*$'

/** Letters that NFKD does not decompose to ASCII. */
const FOLDED: Readonly<Record<string, string>> = { ı: 'i', ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l' }

/** Derives a slug from a name: `Güneş Enerji A.Ş.` becomes `gunes-enerji-a-s`. Never empty. */
export function toSlug(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıßæøđł]/g, (letter) => FOLDED[letter] ?? letter)
  const slug = folded.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  // Leaves room for a numeric or random suffix.
  return slug.slice(0, SLUG_MAX_LENGTH - 10).replace(/-$/, '') || 'tenant'
}
