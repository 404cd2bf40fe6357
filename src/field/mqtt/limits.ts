/** A message whose newest sample is older than this is backfill, milliseconds. */
export const MQTT_BACKFILL_AGE_MS = 10 * 60_000
/** Pause before work that failed for a transient reason is tried again, milliseconds. */
export const MQTT_RETRY_MS = 200
/** Readings of one message; a message with more becomes a dead letter. */
export const MQTT_READINGS_PER_MESSAGE_MAX = 10_000
/** After this many new dead letters of a tenant its list is cut to its limits. */
export const DEAD_LETTERS_TRIM_EVERY = 500

/** Lifetime of the cached devices of a gateway, milliseconds; half of it later they are refreshed in advance. */
export const MQTT_DIRECTORY_TTL_MS = 5_000
/** Devices of the cached gateways; the gateway that sent least recently is forgotten. Each counts for five at least. */
export const MQTT_DIRECTORY_DEVICES_MAX = 100_000
/** Gateways, templates and tenants that are cached, each; the oldest is evicted. */
export const MQTT_DIRECTORY_GATEWAYS_MAX = 20_000
/** A name of a message that has no device is not looked up again for this time, milliseconds. */
export const MQTT_DIRECTORY_MISS_MS = 1_000
/** Names of a gateway that are looked up in that time; further ones count as unknown. */
export const MQTT_DIRECTORY_MISSES_MAX = 20
/** Unknown names that a dead letter keeps, so that it is replayed when one of them appears. */
export const UNKNOWN_DEVICES_KEPT_MAX = 100

/** Keys that decoders retain for one gateway; the key that was written the longest ago is evicted. */
export const DECODER_MEMORY_KEYS_MAX = 2_000
/** Gateways for which decoders and the fast path retain something; the one that was silent the longest is evicted. */
export const DECODER_MEMORY_GATEWAYS_MAX = 10_000
/** Shapes of messages that the fast path retains for one gateway; the one that matched the least is replaced. */
export const SHAPES_PER_GATEWAY_MAX = 4
/** Bytes of a message from which a shape is learned; a larger one is always decoded. */
export const SHAPE_BYTES_MAX = 4 * 1024
/** Readings of a shape; a message with more is always decoded. */
export const SHAPE_READINGS_MAX = 32
/** Slots of a shape; a message with more is always decoded. */
export const SHAPE_SLOTS_MAX = 300

/** Edge nodes that are retained for a Sparkplug gateway; the oldest is evicted. */
export const SPARKPLUG_EDGES_MAX = 100
/** Announced metrics that are retained for a Sparkplug gateway, over all its edge nodes. */
export const SPARKPLUG_METRICS_MAX = 10_000
/** A rebirth that was requested and did not come is requested again after this time, milliseconds. */
export const SPARKPLUG_REBIRTH_EVERY_MS = 30_000
/** Devices of a ThingsBoard gateway whose client attributes are retained. */
export const ATTRIBUTE_DEVICES_MAX = 200
/** Client attributes that are retained for one device of a ThingsBoard gateway. */
export const DEVICE_ATTRIBUTES_MAX = 64

/** Gateways whose numbering and clock are retained in memory; one that has nothing to write is evicted. */
export const SEQUENCE_GATEWAYS_MAX = 20_000
/** How often numberings and signs of life are written, milliseconds. */
export const SEQUENCE_FLUSH_MS = 1_000
/** Gateways that one statement writes. */
export const SEQUENCE_FLUSH_GATEWAYS = 500
/** Gaps that one acknowledgement lists, the newest ones. */
export const SEQUENCE_MISSING_LISTED_MAX = 20
/** A gap that is open for this long is reported by /readiness, milliseconds. */
export const SEQUENCE_GAP_REPORT_MS = 60_000
/** Acknowledgements of a gateway are merged over this time, milliseconds. */
export const SEQUENCE_ACK_MS = 20
/** How often /readiness queries gaps, milliseconds. */
export const SEQUENCE_GAP_QUERY_MS = 15_000
/** Messages over which the median of a gateway's clock skew is taken. */
export const CLOCK_SKEW_MESSAGES = 32
/** A change of the clock skew that is smaller is not written, milliseconds. */
export const CLOCK_SKEW_STEP_MS = 100

/** Bytes of a reported configuration; a larger one is ignored. */
export const CONFIG_REPORT_BYTES_MAX = 64 * 1024
/** Gateways whose reported configurations wait to be recorded; further ones are ignored. */
export const CONFIG_REPORTS_WAITING_MAX = 10_000
/** Processes of one installation that may share the messages of an outside broker. */
export const MQTT_LINK_SLOTS_MAX = 64
/** How often a process looks for a slot that no process serves, milliseconds. */
export const MQTT_LINK_SLOTS_EVERY_MS = 15_000

/** Gateways that wait for the replay of their dead letters; beyond it the scheduled job replays them. */
export const REPLAYS_WAITING_MAX = 1_000
/** The replay after a change of devices includes those that were named in this time before it, milliseconds. */
export const REPLAY_NAMED_FOR_MS = 60_000

/** Devices that are announced to a Home Assistant; further ones, the newest, are not. */
export const HOME_ASSISTANT_DEVICES_MAX = 200
/** Sensors that are announced to a Home Assistant; a device beyond it is not announced. */
export const HOME_ASSISTANT_ENTITIES_MAX = 2_000
/** Interval at which changed values are published to connected Home Assistants, milliseconds. */
export const HOME_ASSISTANT_REFRESH_MS = 10_000
/** Age of the samples from which sensors and their values are read, milliseconds. */
export const HOME_ASSISTANT_SAMPLE_AGE_MAX_MS = 24 * 3_600_000
/** Newest samples of a device that are read: not every sample has every metric. */
export const HOME_ASSISTANT_SAMPLES_READ = 5
/** Time between the withdrawal of the sensors and the end of the session after the login was removed, milliseconds. */
export const HOME_ASSISTANT_WITHDRAWAL_MS = 500
