import assert from 'node:assert/strict'

/**
 * The element of a list at an index that the caller knows to be valid. Throws an AssertionError (our bug, not
 * bad input) when it is not, where `list[index] ?? 0` would go on with an invented value.
 */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index]
  if (element === undefined) assert.fail(`no element at index ${index} of ${list.length}`)
  return element
}
