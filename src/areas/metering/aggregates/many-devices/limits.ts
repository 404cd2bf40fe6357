/** Devices of a response of GET /api/measurements/hours; a larger `limit` is answered with 422. */
export const HOURS_DEVICES_MAX = 1_000
/** Hours of all devices of a response of GET /api/measurements/hours: four days of a thousand devices. */
export const HOURS_CELLS_MAX = 100_000
