import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { install } from '../support/killed-service.ts'
import { audit } from '../support/sample-audit.ts'
import { isAcknowledged, startLoad } from '../support/sample-load.ts'
import { chooseSeed, makeDice } from '../support/seed.ts'

it('stops in the middle of a load of samples: each request is answered or was never taken, none is lost', async () => {
  const seed = chooseSeed()
  console.info(`graceful stop, SEED=${seed}`)
  const installation = await install()
  try {
    const dice = makeDice(seed)
    const load = startLoad(installation.target, dice, 0)
    await load.acknowledged(20)
    await sleep(dice.between(0, 500))
    const stopped = await installation.service.stop('SIGTERM')
    const sent = await load.end()
    expect(stopped.code).toBe(0)
    expect(stopped.ms).toBeLessThan(10_000)
    expect(sent.filter(({ outcome }) => outcome.kind === 'broken')).toEqual([])
    const answered = sent.filter(({ outcome }) => outcome.kind === 'answered')
    expect(answered.filter((batch) => !isAcknowledged(batch))).toEqual([])

    await installation.start()
    const { acknowledged, stored, faults } = await audit(installation.target, sent)
    console.info(
      `${answered.length} requests, ${acknowledged} samples answered; stopped in ${Math.round(stopped.ms)} ms`,
    )
    expect(faults).toEqual([])
    expect(stored).toBe(acknowledged)
  } finally {
    await installation.remove()
  }
}, 120_000)
