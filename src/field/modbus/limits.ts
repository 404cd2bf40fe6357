/** TCP port of a gateway without a configured one. */
export const MODBUS_PORT = 502
/** Gateways that one process polls; further ones are left to other processes. */
export const MODBUS_GATEWAYS_MAX = 1_000
/**
 * Lease of a gateway, milliseconds. A poller that cannot renew it in time stops polling, and others take
 * the gateway over.
 */
export const MODBUS_LEASE_MS = 30_000
/** Interval of the poller's heartbeat, milliseconds: leases are renewed and orphaned gateways taken over. */
export const MODBUS_HEARTBEAT_MS = 5_000
/** Interval of reloading gateways, devices and templates, milliseconds; a sync reloads them at once. */
export const MODBUS_RELOAD_MS = 10_000

/** Share of a line's time for requests to slaves that were silent before; beyond it they wait. */
export const MODBUS_SILENT_PROBE_SHARE = 0.1
/**
 * First pause before a silent slave is probed, milliseconds; doubled with each failure, less up to half of
 * it by jitter.
 */
export const MODBUS_PROBE_FIRST_MS = 1_000
/** Longest pause before a silent slave is probed, milliseconds. */
export const MODBUS_PROBE_MAX_MS = 30_000
/** Delay of a due probe, milliseconds, after which it precedes due slaves on a line that is never idle. */
export const MODBUS_PROBE_PATIENCE_MS = 30_000
/** Time constant, milliseconds, with which used line time decays when the next slave is selected. */
export const MODBUS_FAIRNESS_WINDOW_MS = 5_000
/** Resolution, milliseconds, at which used line time is compared, so that similar slaves keep their order. */
export const MODBUS_FAIRNESS_STEP_MS = 250
/** Time after which a refused register is requested again, milliseconds. */
export const MODBUS_REFUSED_RETRY_MS = 15 * 60_000

/** Samples of one gateway that wait to be stored; beyond it polling of the gateway pauses. */
export const MODBUS_OUTBOX_MAX = 2_000
/** Samples of one gateway that are submitted at the same time; further samples of its outbox wait for them. */
export const MODBUS_SUBMITS_MAX = 500
/** Time for which the samples of one gateway are collected before they are submitted together, milliseconds. */
export const MODBUS_COLLECT_MS = 20
/** Pause before samples whose storage failed are submitted again, milliseconds. */
export const MODBUS_SUBMIT_RETRY_MS = 1_000
/** Longest time for which a value within its deadband is withheld, milliseconds. */
export const MODBUS_DEADBAND_MAX_MS = 300_000

/**
 * Silence of a whole gateway after which it is offline, milliseconds; or three of its shortest periods, if
 * longer.
 */
export const MODBUS_GATEWAY_SILENCE_MS = 30_000
/** Failing devices in the report of one gateway; further ones are counted only. */
export const MODBUS_REPORTED_DEVICES_MAX = 100
