import { expect, it } from 'vitest'
import { createLoadGateway, startMqttLoad } from '../support/field/mqtt-load.ts'
import { audit, auditEnergy } from '../support/metering/sample-audit.ts'
import { install, playRounds, type Victims } from '../support/process/killed-service.ts'
import { roundsOr } from '../support/process/round-count.ts'
import { chooseSeed, makeRandom } from '../support/seed.ts'

const ROUNDS = roundsOr(50)

it(`${ROUNDS} kills on one folder lose no sample acknowledged over MQTT`, {
  retry: 0,
  timeout: ROUNDS * 120_000,
}, async () => {
  const seed = chooseSeed()
  const random = makeRandom(seed)
  const installation = await install({ MQTT_PORT: '0' })
  try {
    const load = startMqttLoad(await createLoadGateway(installation))
    const any = ['service', 'service, then server', 'server, then service', 'server'] as const
    const victims = Array.from(
      { length: ROUNDS },
      (): Victims => (installation.isEmbedded ? random.pick(any) : 'service'),
    )
    const rounds = await playRounds(installation, { seed, victims, print: console.info, load })
    expect(rounds.flatMap(({ faults }) => faults)).toEqual([])
    expect(rounds.filter(({ isReady }) => isReady)).toHaveLength(ROUNDS)
    const all = await audit(
      installation.target,
      rounds.flatMap(({ sent }) => sent),
    )
    console.info(
      `in all: ${all.acknowledged} samples acknowledged, ${all.stored} stored, ${all.faults.length} faults`,
    )
    expect(all.faults).toEqual([])
    expect(await auditEnergy(installation.target, (rounds.at(-1)?.nextStep ?? 0) - 1)).toEqual([])
  } finally {
    await installation.remove()
  }
})
