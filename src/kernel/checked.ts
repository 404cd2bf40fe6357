import assert from 'node:assert/strict'

/**
 * The element of a list at an index that the caller knows to be valid. Throws an AssertionError (our bug, not
 * bad input) when it is not, where `list[index] ?? 0` would go on with an invented value.
 */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index]
  return element === undefined ? outOfRange(list, index) : element
}

/** Fails for a checked read of an array that has no function of its own here. */
export function outOfRange(list: ArrayLike<unknown>, index: number): never {
  assert.fail(`no element at index ${index} of ${list.length}`)
}

/**
 * `at` of an Int32Array, for hot paths. There is one function for each type of array, because a function that
 * reads arrays of several types is megamorphic, which makes every read slow.
 */
export const intAt = (list: Int32Array, index: number): number => list[index] ?? outOfRange(list, index)
/** `at` of a Float64Array, for hot paths. */
export const floatAt = (list: Float64Array, index: number): number => list[index] ?? outOfRange(list, index)
/** `at` of bytes, for hot paths. */
export const byteAt = (list: Uint8Array, index: number): number => list[index] ?? outOfRange(list, index)

/** Whether a value is an object of parsed JSON: neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
