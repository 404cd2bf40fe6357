import { scaled, unscaled } from '../../kernel/decimal.ts'

/** Places of a change in per cent. */
export const CHANGE_PLACES = 1

/** The change from yesterday to today in per cent, rounded half away from zero; undefined where there is none. */
export function changeOf(today: string | null, yesterday: string | null): string | undefined {
  if (today === null || yesterday === null) return undefined
  const [now, before] = [scaled(today, 3), scaled(yesterday, 3)]
  if (before <= 0n) return undefined
  const half = now >= before ? before : -before
  return unscaled((2000n * (now - before) + half) / (2n * before), CHANGE_PLACES)
}
