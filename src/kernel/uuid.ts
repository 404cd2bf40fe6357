/** A UUID of any version in lower case, as part of a larger pattern. PostgreSQL writes UUIDs in this form. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** A whole text that is a UUID, in either case. */
export const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i')

/**
 * A whole text that is a UUID in lower case, for texts that are compared or used as keys without
 * normalization.
 */
export const LOWER_CASE_UUID = new RegExp(`^${UUID_PATTERN}$`)

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)
