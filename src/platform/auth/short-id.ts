/*
 * The short id of a tenant (ADR 0121): tenant.id to the base 32, in Crockford's digits, without leading zeros. It
 * stands in front of the secret part of a token, so that the look-up names the tenant and reaches one node. It is no
 * secret and proves nothing: the stored hash covers the whole text, so a token with the short id of another tenant is
 * not found.
 */

/** Crockford's base 32: digits and letters without i, l, o and u, which are misread or form words. */
export const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'
/** The largest tenant.id, an integer of four bytes, has seven digits. */
const TENANT_ID_MAX = 2 ** 31 - 1
const FORM = /^[1-9a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{0,6}$/
/** For the patterns of tokens; `tenantOfShortId` decides. */
export const SHORT_ID = '[0-9a-z]{1,7}'

const digit = (value: string) => CROCKFORD[Number.parseInt(value, 32)] ?? ''

export const shortIdOf = (tenantId: number): string => [...tenantId.toString(32)].map(digit).join('')

/** The tenant.id of a short id; undefined for every other text. Whether there is such a tenant is not known. */
export function tenantOfShortId(text: string): number | undefined {
  if (!FORM.test(text)) return undefined
  const tenantId = [...text].reduce((value, character) => value * 32 + CROCKFORD.indexOf(character), 0)
  return tenantId <= TENANT_ID_MAX ? tenantId : undefined
}
