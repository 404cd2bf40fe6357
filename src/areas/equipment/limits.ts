/** Characters (not bytes) of a gateway's name; a longer one is refused with 422. */
export const GATEWAY_NAME_MAX_LENGTH = 200

/**
 * Keys in `extra_metadata` of a device, stored and sent ones together; a merge beyond it is refused with 422.
 */
export const METADATA_KEYS_MAX = 200

/** Bytes of an uploaded register map, JSON or CSV; a larger body is refused with 413. */
export const REGISTER_MAP_BODY_BYTES_MAX = 1024 * 1024

/**
 * Devices in one answer of the device tree, below the top one; the answer is marked as truncated beyond it.
 */
export const DEVICE_TREE_MAX = 2_000
/**
 * Levels of the device tree that are followed, downwards and upwards. It keeps the recursive query finite.
 */
export const DEVICE_TREE_DEPTH_MAX = 20
/**
 * Children whose energy is read together with that of their parent; further ones are reported as truncated.
 */
export const ENERGY_CHILDREN_MAX = 100
