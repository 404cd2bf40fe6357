import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

/** Devices of one gateway that are polled or told to it. */
export const GATEWAY_DEVICES_MAX = 500

/** Gateways. Ends of sessions that are remembered because their beginning may still be told. */
export const GATEWAY_SESSION_ENDS_MAX = 8
/** Of a broker that tells no times: how long after a takeover the end of the older session may come. */
export const GATEWAY_TAKEOVER_WINDOW_MS = 30_000
/** A broker's clock may be ahead of ours by so much. */
export const WEBHOOK_CLOCK_AHEAD_MAX_MS = HOUR_MS
export const WEBHOOK_TEXT_MAX = 300
/** A gateway of which nothing was heard for so long is not online, whoever said so last. */
export const GATEWAY_SILENCE_MAX_MS = DAY_MS
export const MODBUS_GATEWAY_SILENCE_MAX_MS = HOUR_MS
/** A gateway on a broker that tells nothing of sessions is online for so long after its last message. */
export const GATEWAY_ONLINE_AFTER_MESSAGE_MS = HOUR_MS
/** What comes so soon after its end was on its way already, and shows nothing. */
export const GATEWAY_OFFLINE_GRACE_MS = 60_000
/** The document that a gateway is told, and how much of what changes is shown. */
export const GATEWAY_CONFIG_BYTES_MAX = 2 * 1024 * 1024
export const GATEWAY_CHANGES_LISTED_MAX = 500
/** Why a gateway refused its configuration. */
export const GATEWAY_REASON_MAX_LENGTH = 500
