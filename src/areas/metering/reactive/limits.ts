/** Meters of one subregion whose reactive energy is added up; further ones, by name, are left out. */
export const REACTIVE_METERS_MAX = 50
/** Share of a limit of the reactive tariff from which on the status is `warning`. */
export const REACTIVE_WARNING_SHARE = 0.9
