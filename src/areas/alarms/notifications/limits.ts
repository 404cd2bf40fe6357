import { DAY_MS } from '../../../kernel/time.ts'

/** How long notifications are kept, milliseconds; the nightly job deletes older ones. */
export const NOTIFICATION_KEPT_MS = 30 * DAY_MS
/** Notifications of a tenant that are kept; the nightly job deletes the oldest beyond it. */
export const NOTIFICATIONS_KEPT_MAX = 50_000
/** Events that one transaction turns into notifications; the rest is left for the next one. */
export const OUTBOX_BATCH = 2_000
/** Tenants whose work of a kind one poll processes; the others wait for the next poll. */
export const OUTBOX_TENANTS_MAX = 100
/** Interval at which a process polls the outbox and the due deliveries, milliseconds. */
export const NOTIFIER_POLL_MS = 1_000
/**
 * Batches of one channel that a process has in flight at once; due deliveries beyond it wait for a free slot.
 */
export const SENDING_AT_ONCE = 8
/**
 * Lease of a batch, milliseconds; without a result by then the batch is sent again. It is longer than any
 * timeout of sending.
 */
export const SENDING_LEASE_MS = 60_000
/** Timeout for the transfer of a mail to the mail server, milliseconds; then the attempt has failed. */
export const SENDING_TIMEOUT_MS = 30_000
/** Pause after the first failure of a batch, milliseconds; each further failure doubles it. */
export const RESEND_FIRST_MS = 10_000
/** Longest pause between two attempts of a batch, milliseconds. */
export const RESEND_MAX_MS = 3_600_000
/** Characters of the last error that are stored; a longer one is cut. */
export const SENDING_ERROR_MAX = 300

/** Time that the first mail waits for further notifications, milliseconds. */
export const MAIL_COLLECT_MS = 5_000
/** Shortest time between two mails to a user, milliseconds. */
export const MAIL_EVERY_MS = 60_000
/** Notifications that a mail lists; the others are counted. */
export const MAIL_LINES_MAX = 30
/** Age beyond which an event is not mailed, milliseconds. It prevents mails about the backlog of a device. */
export const MAIL_AGE_MAX_MS = DAY_MS

/** Webhooks of a tenant; the next one is refused with 409 STATE_CONFLICT. */
export const WEBHOOKS_MAX = 10
/** Longest address of a webhook, characters; a longer one is refused with 422. */
export const WEBHOOK_URL_MAX = 2_000
/** Longest name of a webhook, characters; a longer one is refused with 422. */
export const WEBHOOK_NAME_MAX = 200
/** Events of one delivery; the rest follows in the next one. */
export const WEBHOOK_EVENTS_MAX = 100
/** Timeout of a webhook call, milliseconds; then the attempt has failed. */
export const WEBHOOK_TIMEOUT_MS = 10_000
/** Random bytes of a webhook's secret. */
export const WEBHOOK_SECRET_BYTES = 32
/** Failures in a row after which a webhook is disabled; with the pauses above about a day. */
export const WEBHOOK_FAILURES_MAX = 30

/** Channels of a tenant; the next one is refused with 409 STATE_CONFLICT. */
export const CHANNELS_MAX = 20
/** Longest name of a channel, characters; a longer one is refused with 422. */
export const CHANNEL_NAME_MAX = 200
/** Longest URL of a channel, characters; a longer one is refused with 422. */
export const CHANNEL_URL_MAX = 2_000
/** Longest access token of an ntfy server, characters; a longer one is refused with 422. */
export const CHANNEL_TOKEN_MAX = 500
/** Time that the first message of a channel waits for further notifications, milliseconds. */
export const CHANNEL_COLLECT_MS = 5_000
/** Shortest time between two messages to a channel, milliseconds; Telegram permits 20 a minute for a group. */
export const CHANNEL_EVERY_MS = 10_000
/** Notifications that a message to a channel lists; the others are counted. */
export const CHANNEL_LINES_MAX = 10
/** Longest text of a message to a channel, characters; Telegram permits 4,096, Slack 3,000 in a block. */
export const CHANNEL_TEXT_MAX = 2_800
/** Longest text of a message to ntfy, bytes; ntfy turns a message over 4,096 bytes into an attachment. */
export const NTFY_TEXT_MAX_BYTES = 3_800
/** Timeout of a call to a messaging platform, milliseconds; then the attempt has failed. */
export const CHANNEL_TIMEOUT_MS = 10_000
/** Longest pause that a platform can request with 429, milliseconds; a longer one is shortened. */
export const RETRY_AFTER_MAX_MS = 3_600_000
/** Bytes of a 429 response that are read, for the pause that Telegram requests; the rest is ignored. */
export const CALL_BODY_MAX_BYTES = 4_096

/** Escalation policies of a tenant; the next one is refused with 409 STATE_CONFLICT. */
export const ESCALATION_POLICIES_MAX = 50
/** Levels of an escalation policy; more are refused with 422. */
export const ESCALATION_LEVELS_MAX = 10
/** Recipients of a level as entered; more are refused with 422. */
export const ESCALATION_RECIPIENTS_MAX = 20
/** Messages of a level of one incident, after roles are replaced by their users; further users get none. */
export const ESCALATION_TARGETS_MAX = 50
/** Longest delay of a level after the beginning of the escalation, minutes; a longer one is refused with 422. */
export const ESCALATION_DELAY_MAX_MIN = 10_080
/** Repetitions of the last level; more are refused with 422. */
export const ESCALATION_REPEATS_MAX = 100
/** Shortest interval between two repetitions, minutes; a shorter one is refused with 422. */
export const ESCALATION_REPEAT_MIN_MIN = 5
/** Incidents whose next level one transaction processes; the rest is left for the next one. */
export const ESCALATION_STEPS = 200
/** Waiting messages to one recipient that are sent together; the rest follows in the next message. */
export const ESCALATION_BATCH = 100
/** Attempts to send a message of an escalation, over about an hour and a half; then it has failed. */
export const ESCALATION_ATTEMPTS_MAX = 10
