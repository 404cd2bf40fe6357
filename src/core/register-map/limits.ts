/** Registers of one map; an upload with more is refused with 422. */
export const REGISTER_MAP_REGISTERS_MAX = 400
/** Poll groups of one map; an upload with more is refused with 422. */
export const REGISTER_MAP_GROUPS_MAX = 10
/** Golden frames of one map; an upload with more is refused with 422. */
export const REGISTER_MAP_TESTS_MAX = 50
/** Faults listed in one 422 response; further ones are omitted. */
export const REGISTER_MAP_FAULTS_MAX = 200

/** Rule of thumb of the bus-time budget, ms: network latency together with the device's own network stack. */
export const MODBUS_LATENCY_MS = 5
/** Rule of thumb of the bus-time budget, ms: processing time of a slave on a serial line. */
export const MODBUS_SLAVE_LATENCY_MS = 15
