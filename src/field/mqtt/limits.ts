/** What is remembered of a gateway: Sparkplug's edge nodes, and the metrics that they have announced all together. */
export const SPARKPLUG_EDGES_MAX = 100
export const SPARKPLUG_METRICS_MAX = 10_000
/** And of ThingsBoard's: devices, and client attributes of each. */
export const ATTRIBUTE_DEVICES_MAX = 200
export const DEVICE_ATTRIBUTES_MAX = 64
/** A rebirth that was asked for and did not come is asked for again after so long. */
export const SPARKPLUG_REBIRTH_EVERY_MS = 30_000
/** Answers of gateways to their configuration: their size, and how many gateways' may wait to be recorded. */
export const CONFIG_REPORT_BYTES_MAX = 64 * 1024
export const CONFIG_REPORTS_WAITING_MAX = 10_000
/** Processes that may share the messages of one installation. */
export const MQTT_LINK_SLOTS_MAX = 64

/** A message whose newest sample is older waits in the backfill lane. */
export const MQTT_BACKFILL_AGE_MS = 10 * 60_000
/** Until a block that could not be stored is tried again. */
export const MQTT_RETRY_MS = 200

export const MQTT_READINGS_PER_MESSAGE_MAX = 10_000

/** Names of devices that are remembered, and for how long; a name that is missing is asked for again at once. */
export const MQTT_DIRECTORY_TTL_MS = 5_000
export const MQTT_DIRECTORY_GATEWAYS_MAX = 20_000
/** A gateway whose messages name unknown devices does not make us ask more often than this. */
export const MQTT_DIRECTORY_MISS_MS = 1_000

export const DECODER_MEMORY_KEYS_MAX = 2_000
export const DECODER_MEMORY_GATEWAYS_MAX = 10_000
/** How messages of a gateway look, so that the next ones are read faster; of larger messages nothing is remembered. */
export const SHAPES_PER_GATEWAY_MAX = 4
export const SHAPE_BYTES_MAX = 4 * 1024
export const SHAPE_READINGS_MAX = 32
export const SHAPE_SLOTS_MAX = 300
export const SEQUENCE_GATEWAYS_MAX = 20_000
export const SEQUENCE_FLUSH_MS = 1_000
export const SEQUENCE_FLUSH_GATEWAYS = 500
/** Gaps listed in an acknowledgement. */
export const SEQUENCE_MISSING_TOLD_MAX = 20
/** A gap that stays open so long is told in /readiness. */
export const SEQUENCE_GAP_TOLD_MS = 60_000
/** Acknowledgements of a gateway are put together over this time. */
export const SEQUENCE_ACK_MS = 20
/** How often /readiness looks for gaps. */
export const SEQUENCE_NOTE_MS = 15_000

/** Clocks: the median over so many messages. */
export const CLOCK_SKEW_MESSAGES = 32
/** A smaller change is not written. */
export const CLOCK_SKEW_STEP_MS = 100
/** After so many new ones of a tenant its list is cut to the limits. */
export const DEAD_LETTERS_TRIM_EVERY = 500
/** How often a process looks for a slot that nobody serves. */
export const MQTT_LINK_SLOTS_EVERY_MS = 15_000
