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
/** A value within its deadband is stored so often all the same. */
export const MODBUS_DEADBAND_MAX_MS = 300_000
/** A gateway that has answered nothing for three of its shortest periods, and for so long, is offline. */
export const MODBUS_SILENCE_MS = 30_000
/** Devices with something to tell, in the report of a gateway. */
export const MODBUS_REPORTED_MAX = 100
