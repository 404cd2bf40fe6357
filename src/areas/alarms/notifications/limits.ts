import { DAY_MS } from '../../../kernel/time.ts'

/** Notifications: how long they are kept, and how many of a tenant. */
export const NOTIFICATION_KEPT_MS = 30 * DAY_MS
export const NOTIFICATIONS_KEPT_MAX = 50_000
/** Events that are told in one transaction, and tenants that are looked at in one round. */
export const OUTBOX_BATCH = 2_000
export const OUTBOX_TENANTS_MAX = 100
/** How often a process looks for events to tell and batches to send. */
export const NOTIFIER_POLL_MS = 1_000
/** Batches on their way at once. */
export const SENDING_AT_ONCE = 8
/** A batch whose sender has said nothing for so long is sent again; longer than any sending may take. */
export const SENDING_LEASE_MS = 60_000
export const SENDING_TIMEOUT_MS = 30_000
/** Pauses after failures: doubled from the first to the longest. */
export const RESEND_FIRST_MS = 10_000
export const RESEND_MAX_MS = 3_600_000
export const SENDING_ERROR_MAX = 300

/** E-mails. What comes together goes into one; a user gets at most one in this time. */
export const MAIL_COLLECT_MS = 5_000
export const MAIL_EVERY_MS = 60_000
/** Notifications that an e-mail spells out; the others are counted. */
export const MAIL_LINES_MAX = 30
/** What happened longer ago is not mailed any more: a backlog of a device is no news. */
export const MAIL_AGE_MAX_MS = DAY_MS

/** Webhooks of a tenant. */
export const WEBHOOKS_MAX = 10
export const WEBHOOK_URL_MAX = 2_000
export const WEBHOOK_NAME_MAX = 200
/** Events of one delivery, and how long its answer may take. */
export const WEBHOOK_EVENTS_MAX = 100
export const WEBHOOK_TIMEOUT_MS = 10_000
export const WEBHOOK_SECRET_BYTES = 32
/** Failures in a row after which a webhook is no longer sent to: with the pauses above about a day. */
export const WEBHOOK_FAILURES_MAX = 30
