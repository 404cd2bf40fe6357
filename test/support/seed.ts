/** The seed of a run: SEED when set (to repeat a run), else a random one. Print it. */
export const chooseSeed = (): number => Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))

export interface Random {
  /** An integer between the two bounds, both included. */
  between(low: number, high: number): number
  pick<T>(list: readonly [T, ...T[]]): T
}

/** Reproducible random numbers (mulberry32). */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  }
}
