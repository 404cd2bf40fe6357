import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

/**
 * Devices of one gateway that are polled or part of its configuration. Polling ignores further ones; a sync
 * of the configuration is refused with 422.
 */
export const GATEWAY_DEVICES_MAX = 500

/**
 * Session ends that are remembered because the start of their session may still be reported; the oldest are
 * dropped.
 */
export const GATEWAY_SESSION_ENDS_MAX = 8
/** Ms after an untimed takeover within which an end is taken as that of the replaced session. */
export const GATEWAY_TAKEOVER_WINDOW_MS = 30_000
/** Ms by which a broker's time may be ahead of ours; a time further ahead is ignored. */
export const WEBHOOK_CLOCK_AHEAD_MAX_MS = HOUR_MS
/** Characters of each text in a webhook (client id, node, reason …); longer ones are truncated. */
export const WEBHOOK_TEXT_MAX = 300

/** Silence in ms after which a gateway is offline, whatever its broker reported last. */
export const GATEWAY_SILENCE_MAX_MS = DAY_MS
/** Silence in ms after which a Modbus gateway is offline, because its poller may have died. */
export const MODBUS_GATEWAY_SILENCE_MAX_MS = HOUR_MS
/** Ms for which a message shows a gateway as online when no broker reports an open session. */
export const GATEWAY_ONLINE_AFTER_MESSAGE_MS = HOUR_MS
/**
 * Ms after the end of a session within which a message was still on its way and does not show the gateway as
 * online.
 */
export const GATEWAY_OFFLINE_GRACE_MS = 60_000

/** Bytes of the configuration document of a gateway; a larger one is refused with 422. */
export const GATEWAY_CONFIG_BYTES_MAX = 2 * 1024 * 1024
/** Changes listed in a preview of the configuration; `changes_total` counts all. */
export const GATEWAY_CHANGES_LISTED_MAX = 500
/** Characters of the reason for which a gateway rejected its configuration; a longer one is truncated. */
export const GATEWAY_REASON_MAX_LENGTH = 500

/** Client ids that are kept of a gateway at an outside broker; the one that connected the longest ago is deleted. */
export const GATEWAY_CLIENTS_MAX = 20
/** Time for which /readiness shows webhook calls that matched no gateway, after the last one, milliseconds. */
export const UNMATCHED_WEBHOOKS_SHOWN_MS = 3_600_000
