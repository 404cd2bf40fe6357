/** Background tasks (mails, for example) that run at the same time; further ones wait. */
export const BACKGROUND_AT_ONCE = 4
/** Background tasks that wait; beyond it a task is refused and logged. */
export const BACKGROUND_WAITING_MAX = 1000
