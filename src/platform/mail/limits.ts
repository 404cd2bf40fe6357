export const OUTBOX_MAILS_MAX = 1_000
