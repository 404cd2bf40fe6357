/** Milliseconds between two checks of the certificate files of a TLS listener. */
export const TLS_RELOAD_EVERY_MS = 10_000
/** Days before the end of a certificate from which `/readiness` warns. */
export const TLS_EXPIRY_WARNING_DAYS = 14
