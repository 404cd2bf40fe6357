/** Background work of requests (mails, last_login_at): at once, and waiting. */
export const BACKGROUND_AT_ONCE = 4
export const BACKGROUND_WAITING_MAX = 1000
