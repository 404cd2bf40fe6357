import { DAY_MS, HOUR_MS } from './time.ts'

/** Modbus: what one request may read or write (Application Protocol 1.1b3), and how patient we are. */
export const MODBUS_WORDS_MAX = 125
export const MODBUS_BITS_MAX = 2_000
export const MODBUS_WORDS_WRITTEN_MAX = 123
export const MODBUS_BITS_WRITTEN_MAX = 1_968
export const MODBUS_CONNECT_TIMEOUT_MS = 5_000
/** Requests that wait for their turn on one connection. */
export const MODBUS_WAITING_MAX = 32
/** Pauses between vain attempts to connect: doubled from the first to the longest, less up to half of it by chance. */
export const MODBUS_RECONNECT_FIRST_MS = 500
export const MODBUS_RECONNECT_MAX_MS = 30_000
/** So many requests in a row without a single byte from the other side, and the connection is taken for dead. */
export const MODBUS_SILENT_MAX = 5
/** Frames that answer no request, between two of them; answers that come too late are never so many. */
export const MODBUS_UNASKED_MAX = 32

/** Register maps: what one template may hold. */
export const REGISTER_MAP_REGISTERS_MAX = 400
export const REGISTER_MAP_GROUPS_MAX = 10
export const REGISTER_MAP_TESTS_MAX = 50
/** Faults that an answer lists. */
export const REGISTER_MAP_FAULTS_MAX = 200
export const REGISTER_MAP_BODY_BYTES_MAX = 1024 * 1024
/** Rules of thumb of the bus-time budget: the network with a device's own network stack, and a slave on a serial line. */
export const MODBUS_LATENCY_MS = 5
export const MODBUS_SLAVE_LATENCY_MS = 15

/** Dialects of MQTT. Devices of one Zigbee gateway. */
export const ZIGBEE_DEVICES_MAX = 500
/** In characters, not in bytes. */
export const GATEWAY_NAME_MAX_LENGTH = 200
/** What is remembered of a gateway: Sparkplug's edge nodes, and the metrics that they have announced all together. */
export const SPARKPLUG_EDGES_MAX = 100
export const SPARKPLUG_METRICS_MAX = 10_000
/** And of ThingsBoard's: devices, and client attributes of each. */
export const ATTRIBUTE_DEVICES_MAX = 200
export const DEVICE_ATTRIBUTES_MAX = 64
/** A rebirth that was asked for and did not come is asked for again after so long. */
export const SPARKPLUG_REBIRTH_EVERY_MS = 30_000

/** The Modbus poller. */
export const MODBUS_PORT = 502
export const MODBUS_GATEWAYS_MAX = 1_000
/** How long a poller may stay away before others take its gateways; it shows itself every beat. */
export const MODBUS_LEASE_MS = 30_000
export const MODBUS_BEAT_MS = 5_000
/** How often changes of gateways, devices and templates are looked for; a sync says so at once. */
export const MODBUS_RELOAD_MS = 10_000
/** Of the time of a line, what asking slaves that have just been silent may take. */
export const MODBUS_RISKY_SHARE = 0.1
/** Pauses between questions to a silent slave: doubled from the first to the longest, less up to half by chance. */
export const MODBUS_PROBE_FIRST_MS = 1_000
export const MODBUS_PROBE_MAX_MS = 30_000
/** A silent slave is asked at last also on a line that is never idle. */
export const MODBUS_PROBE_PATIENCE_MS = 30_000
/** Time on the line counts this long against a slave when several are due. */
export const MODBUS_FAIRNESS_MS = 5_000
export const MODBUS_FAIRNESS_STEP_MS = 250
/** When a register that the device refuses is tried again. */
export const MODBUS_REFUSED_RETRY_MS = 15 * 60_000
/** Samples of one gateway that wait to be stored; beyond it polling waits. */
export const MODBUS_OUTBOX_MAX = 2_000
export const MODBUS_SUBMIT_MAX = 500
export const MODBUS_SUBMIT_RETRY_MS = 1_000
/** At the stop: how long samples that were read may take to be stored. */
export const MODBUS_STOP_MS = 2_000
/** A value within its deadband is stored so often all the same. */
export const MODBUS_DEADBAND_MAX_MS = 300_000
/** A gateway that has answered nothing for three of its shortest periods, and for so long, is offline. */
export const MODBUS_SILENCE_MS = 30_000
/** Devices with something to tell, in the report of a gateway. */
export const MODBUS_REPORTED_MAX = 100

/** Gateways. Ends of sessions that are remembered because their beginning may still be told. */
export const GATEWAY_SESSION_ENDS_MAX = 8
/** Of a broker that tells no times: how long after a takeover the end of the older session may come. */
export const GATEWAY_TAKEOVER_MS = 30_000
/** A broker's clock may be ahead of ours by so much. */
export const WEBHOOK_CLOCK_AHEAD_MAX_MS = HOUR_MS
export const WEBHOOK_TEXT_MAX = 300
/** Brokers tell of whole fleets that reconnect at once. */
export const WEBHOOKS_PER_SECOND = 1_000
export const WEBHOOKS_BURST = 10_000
/** A gateway of which nothing was heard for so long is not online, whoever said so last. */
export const GATEWAY_SILENT_MAX_MS = DAY_MS
export const MODBUS_GATEWAY_SILENT_MAX_MS = HOUR_MS
/** A gateway on a broker that tells nothing of sessions is online for so long after its last message. */
export const GATEWAY_HEARD_MS = HOUR_MS
/** What comes so soon after its end was on its way already, and shows nothing. */
export const GATEWAY_OFFLINE_GRACE_MS = 60_000

/** Zigbee claims. A code of 12 characters from 32 is 60 random bits. */
export const ZIGBEE_CODE_CHARACTERS = 12
export const ZIGBEE_CLAIM_TTL_MIN_MINUTES = 5
export const ZIGBEE_CLAIM_TTL_MINUTES = 24 * 60
export const ZIGBEE_CLAIM_TTL_MAX_MINUTES = 7 * 24 * 60
/** Open claims of a tenant. */
export const ZIGBEE_CLAIMS_PENDING_MAX = 50
/** Claims that are over are forgotten after so long. */
export const ZIGBEE_CLAIM_KEPT_MS = 30 * DAY_MS
export const ZIGBEE_REDEEM_PER_MINUTE = 10
/** zigbee2mqtt lets devices join for at most so many seconds at a time. */
export const ZIGBEE_PERMIT_JOIN_MAX_S = 254
/** What a device is said to expose; more is not kept. */
export const ZIGBEE_EXPOSES_BYTES_MAX = 32 * 1024
/** Gateways whose devices wait to be written down, and how often that is tried. */
export const ZIGBEE_NEWS_WAITING_MAX = 2_000
export const ZIGBEE_NEWS_TRIES = 5
export const ZIGBEE_NEWS_RETRY_MS = 1_000
/** The document that a gateway is told, and how much of what changes is shown. */
export const GATEWAY_CONFIG_BYTES_MAX = 2 * 1024 * 1024
export const GATEWAY_CHANGES_SHOWN_MAX = 500
/** Why a gateway refused its configuration. */
export const GATEWAY_REASON_MAX_LENGTH = 500
/** Answers of gateways to their configuration: their size, and how many gateways' may wait to be recorded. */
export const CONFIG_REPORT_BYTES_MAX = 64 * 1024
export const CONFIG_REPORTS_WAITING_MAX = 10_000
