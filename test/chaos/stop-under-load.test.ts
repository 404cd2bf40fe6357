import { expect, it } from 'vitest'
import { install } from '../support/process/killed-service.ts'
import { roundsOr } from '../support/process/round-count.ts'
import { type StopRound, stopUnderLoad } from '../support/process/stop-under-load.ts'
import { chooseSeed, makeRandom } from '../support/seed.ts'

const ROUNDS = roundsOr(10)

it(`${ROUNDS} stops under load abort no request and lose no sample`, {
  retry: 0,
  timeout: 900_000,
}, async () => {
  const seed = chooseSeed()
  const random = makeRandom(seed)
  console.info(`stop under load, SEED=${seed}`)
  const installation = await install()
  try {
    const rounds: StopRound[] = []
    while (rounds.length < ROUNDS) {
      const round = await stopUnderLoad(installation, random, rounds.at(-1)?.nextStep ?? 0)
      rounds.push(round)
      const { acknowledged, ms, faults } = round
      console.info(
        `round ${rounds.length}: ${acknowledged} samples answered; stopped in ${Math.round(ms)} ms; ${faults.length} faults`,
      )
    }
    expect(rounds.flatMap(({ faults }) => faults)).toEqual([])
    for (const { code } of rounds) expect(code).toBe(0)
  } finally {
    await installation.remove()
  }
})
