/** Register maps: what one template may hold. */
export const REGISTER_MAP_REGISTERS_MAX = 400
export const REGISTER_MAP_GROUPS_MAX = 10
export const REGISTER_MAP_TESTS_MAX = 50
/** Faults that an answer lists. */
export const REGISTER_MAP_FAULTS_MAX = 200
/** Rules of thumb of the bus-time budget: the network with a device's own network stack, and a slave on a serial line. */
export const MODBUS_LATENCY_MS = 5
export const MODBUS_SLAVE_LATENCY_MS = 15
