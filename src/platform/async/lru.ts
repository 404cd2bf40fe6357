import { LRUCache } from 'lru-cache'

/**
 * Makes a cache of at most `max` entries, which forgets the least recently used one. It grows with its entries:
 * with its option `max`, lru-cache allocates memory for all of them at once, which takes time at every start.
 * `sizeOf`: how many entries a value counts for, when values are of different size; it may not exceed `max`.
 */
export const makeLru = <V extends object | string>(max: number, sizeOf: (value: V) => number = () => 1) =>
  new LRUCache<string, V>({ maxSize: max, sizeCalculation: sizeOf })
