export const SLUG_MAX_LENGTH = 63
