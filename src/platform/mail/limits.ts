/** Mails in the outbox folder, which is used without SMTP_URL; beyond it the oldest ones are deleted. */
export const OUTBOX_MAILS_MAX = 1_000
