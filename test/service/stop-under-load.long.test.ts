import { expect, it } from 'vitest'
import { install } from '../support/process/killed-service.ts'
import { stopUnderLoad } from '../support/process/stop-under-load.ts'
import { chooseSeed, makeRandom } from '../support/seed.ts'

it('a stop under load answers each accepted request and loses no sample', { retry: 0 }, async () => {
  const seed = chooseSeed()
  const installation = await install()
  try {
    const { code, ms, acknowledged, faults } = await stopUnderLoad(installation, makeRandom(seed), 0)
    console.info(
      `stop under load, SEED=${seed}: ${acknowledged} samples answered; it took ${Math.round(ms)} ms`,
    )
    expect(faults).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
    expect(code).toBe(0)
  } finally {
    await installation.remove()
  }
})
