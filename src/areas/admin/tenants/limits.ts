/** Characters of a tenant's slug; a longer one is refused with 422. 63 is the length of a DNS label. */
export const SLUG_MAX_LENGTH = 63
