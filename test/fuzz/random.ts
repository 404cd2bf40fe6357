import { makeRandom, type Random } from '../support/seed.ts'

export interface FuzzRandom extends Random {
  /** True with this probability, in percent. */
  chance(percent: number): boolean
  choose<T>(list: readonly T[]): T | undefined
  shuffle<T>(list: readonly T[]): T[]
  uuid(): string
  /** An independent sequence that depends on the state of this one. */
  fork(): FuzzRandom
}

/** Reproducible random numbers with the choices that the fuzzer makes. */
export function makeFuzzRandom(seed: number): FuzzRandom {
  const base = makeRandom(seed)
  const random: FuzzRandom = {
    ...base,
    chance: (percent) => base.between(1, 100) <= percent,
    choose: (list) => list[base.between(0, Math.max(0, list.length - 1))],
    shuffle(list) {
      const copy = [...list]
      for (let last = copy.length - 1; last > 0; last -= 1) {
        const other = base.between(0, last)
        const [a, b] = [copy[last], copy[other]]
        if (a !== undefined && b !== undefined) [copy[last], copy[other]] = [b, a]
      }
      return copy
    },
    uuid() {
      const hex = Array.from({ length: 32 }, () => base.between(0, 15).toString(16)).join('')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
    },
    fork: () => makeFuzzRandom(base.between(0, 2 ** 31 - 1)),
  }
  return random
}
