import { LRUCache } from 'lru-cache'

/**
 * Makes a cache of at most `max` entries, which forgets the least recently used one. It grows with its entries:
 * with its option `max`, lru-cache allocates memory for all of them at once, which takes time at every start.
 */
export const makeLru = <V extends object | string>(max: number) =>
  new LRUCache<string, V>({ maxSize: max, sizeCalculation: () => 1 })
