/** Bytes of a request of a collector, as sent and as decompressed; a larger one is refused with 413. */
export const COLLECTOR_BODY_BYTES_MAX = 4 * 1024 * 1024
/** Lines of a request in line protocol, and samples of a remote write request; beyond it 413. */
export const COLLECTOR_POINTS_MAX = 10_000
/** Tags and fields of a line, and labels of a time series. */
export const COLLECTOR_POINT_PARTS_MAX = 256
/** Dropped points that the message of a partial write names; the others are only counted. */
export const COLLECTOR_FAULTS_SHOWN_MAX = 10
/** Characters of a name or a line that an error message quotes. */
export const COLLECTOR_QUOTE_MAX_LENGTH = 100

/** Collector mappings of a tenant; creating a further one is refused with 409. */
export const COLLECTOR_MAPPINGS_MAX = 50
/** Rules for metrics of a mapping. */
export const COLLECTOR_METRIC_RULES_MAX = 500
/** Labels of a mapping that may name the device. */
export const COLLECTOR_DEVICE_LABELS_MAX = 10
/** Length of a name of a mapping, a label, a measurement or a field. */
export const COLLECTOR_NAME_MAX_LENGTH = 200
/** The `Retry-After` of 503 SERVICE_OVERLOADED, seconds. */
export const COLLECTOR_RETRY_AFTER_S = 2
