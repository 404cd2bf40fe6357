/** Compared without white space and one trailing slash, on both sides; otherwise to the letter (interface, 10). */
const normal = (origin: string): string => origin.trim().replace(/\/$/, '')

/** An empty list allows every origin, none included; any other list only what it names. */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  const wanted = normal(origin ?? '')
  return wanted !== '' && allowed.some((one) => normal(one) === wanted)
}
