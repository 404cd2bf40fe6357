import { expect, it } from 'vitest'
import { audit, auditEnergy } from '../support/metering/sample-audit.ts'
import type { SentBatch } from '../support/metering/sample-load.ts'
import { install, playRounds, type Victims } from '../support/process/killed-service.ts'
import { chooseSeed } from '../support/seed.ts'

const EMBEDDED: readonly Victims[] = ['service', 'server', 'server, then service']
const OUTSIDE: readonly Victims[] = ['service', 'service', 'service']

it('a kill under load loses no acknowledged sample (3 rounds)', { retry: 0, timeout: 900_000 }, async () => {
  const installation = await install()
  try {
    const victims = installation.isEmbedded ? EMBEDDED : OUTSIDE
    const rounds = await playRounds(installation, { seed: chooseSeed(), victims, print: console.info })
    expect(rounds.flatMap(({ faults }) => faults)).toEqual([])
    expect(rounds.map(({ isReady }) => isReady)).toEqual([true, true, true])
    for (const { acknowledged } of rounds) expect(acknowledged).toBeGreaterThan(0)

    const all = rounds.flatMap(({ sent }) => sent)
    const next = rounds.at(-1)?.nextStep ?? 0
    expect((await audit(installation.target, all)).faults).toEqual([])
    expect(await auditEnergy(installation.target, next - 1)).toEqual([])

    // The audit itself must detect a missing and an unsent sample.
    const lost: SentBatch = { from: next, count: 1, outcome: { kind: 'answered', status: 201, body: {} } }
    expect((await audit(installation.target, [...all, lost])).faults[0]).toContain('is lost')
    // A sample from the middle, because the audit compares the first step sent to the last.
    const inOrder = all.toSorted((one, other) => one.from - other.from)
    const unsent = inOrder.toSpliced(Math.floor(inOrder.length / 2), 1)
    expect((await audit(installation.target, unsent)).faults[0]).toContain('never sent')
  } finally {
    await installation.remove()
  }
})
