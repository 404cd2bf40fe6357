import { add, type Kwh, subtract, ZERO_KWH } from '../../kernel/decimal.ts'
import { localDate } from '../../kernel/time.ts'
import { alloc } from './alloc.ts'
import { type NettedSlice, netSlice } from './match.ts'
import { scenarioOf } from './members.ts'
import { monthSlice, netMonth } from './monthly.ts'
import { sliceHours } from './slices.ts'
import type { PeriodInput } from './types.ts'

/** Matched energy of one producer that one consumer used. */
export interface AllocatedEnergy {
  readonly producerId: string
  readonly consumerId: string
  readonly matchedKwh: Kwh
}

/**
 * Which consumer used the matched energy of which producer, in sums over the window of a run. Energy has no
 * path in the grid: in each hour (a residential group: in the month) the matched energy of each producer is
 * shared among the consumers in proportion to their matched energy. The rows and columns sum exactly to the
 * matched energy of the producers and consumers. A blocked group has none.
 */
export function allocateMatched(input: PeriodInput): AllocatedEnergy[] {
  const sums = new Map<string, { producerId: string; consumerId: string; matchedKwh: Kwh }>()
  for (const slice of nettedSlices(input)) {
    for (const part of allocateSlice(slice)) {
      const key = `${part.producerId} ${part.consumerId}`
      const known = sums.get(key)
      if (known) known.matchedKwh = add(known.matchedKwh, part.matchedKwh)
      else sums.set(key, { ...part })
    }
  }
  return [...sums.values()]
}

function nettedSlices(input: PeriodInput): NettedSlice[] {
  const scenario = scenarioOf(input)
  // The limit decides about the surplus and not about the matched energy, so that no account is needed.
  const { slices } = sliceHours(input, new Map())
  if (scenario === 'invalid_group_bedelsiz') return []
  if (scenario === 'standard_hourly') return slices.map((slice) => netSlice(slice))
  return [netMonth(monthSlice(slices, input, localDate(input.window.from)))]
}

/**
 * Shares the matched energy of the producers one after the other. A producer's energy is split by what the
 * consumers have left, so that no consumer gets more than its own matched energy and the last producer
 * leaves nothing.
 */
export function allocateSlice({ producers, consumers }: NettedSlice): AllocatedEnergy[] {
  let left = consumers.map((consumer) => consumer.matchedKwh)
  return producers.flatMap(({ party, matchedKwh }) => {
    const parts = alloc(matchedKwh, left)
    left = left.map((quantity, index) => subtract(quantity, parts[index] ?? ZERO_KWH))
    return parts.flatMap((part, index) => {
      const consumerId = consumers[index]?.party.member.facilityId
      if (part === ZERO_KWH || consumerId === undefined) return []
      return [{ producerId: party.member.facilityId, consumerId, matchedKwh: part }]
    })
  })
}
