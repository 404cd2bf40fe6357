import { expect, it } from 'vitest'
import { createLoadGateway, startMqttLoad } from '../support/field/mqtt-load.ts'
import { audit, auditEnergy } from '../support/metering/sample-audit.ts'
import { install, playRounds, type Victims } from '../support/process/killed-service.ts'
import { chooseSeed } from '../support/seed.ts'

const EMBEDDED: readonly Victims[] = ['service', 'server', 'server, then service']
const OUTSIDE: readonly Victims[] = ['service', 'service', 'service']

it('a kill under load loses no sample acknowledged over MQTT (3 rounds)', {
  retry: 0,
  timeout: 900_000,
}, async () => {
  const installation = await install({ MQTT_PORT: '0' })
  try {
    const load = startMqttLoad(await createLoadGateway(installation))
    const victims = installation.isEmbedded ? EMBEDDED : OUTSIDE
    const rounds = await playRounds(installation, { seed: chooseSeed(), victims, print: console.info, load })
    expect(rounds.flatMap(({ faults }) => faults)).toEqual([])
    expect(rounds.map(({ isReady }) => isReady)).toEqual([true, true, true])
    for (const { acknowledged } of rounds) expect(acknowledged).toBeGreaterThan(0)
    const all = rounds.flatMap(({ sent }) => sent)
    expect((await audit(installation.target, all)).faults).toEqual([])
    expect(await auditEnergy(installation.target, (rounds.at(-1)?.nextStep ?? 0) - 1)).toEqual([])
  } finally {
    await installation.remove()
  }
})
