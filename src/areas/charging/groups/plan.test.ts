import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHARE_CLOCK_SLACK_MS, SHARE_LEASE_MS, SHARE_REFUSED_PAUSE_MS } from '../limits.ts'
import {
  type CommandEndState,
  exposureOfAll,
  type Member,
  planShares,
  type ShareProfile,
  settleMember,
} from './plan.ts'

const NOW = Date.parse('2026-11-20T09:00:00Z')
const MIN_W = 1_400

const member = (chargerId: string, fields: Partial<Member> = {}): Member => ({
  chargerId,
  maxW: 22_000,
  isReachable: true,
  isRestarted: false,
  charging: [],
  accepted: null,
  pending: null,
  doubtfulW: null,
  refusedAt: null,
  raisedAt: null,
  ...fields,
})
const profileOf = (shareW: number, fallbackW = MIN_W): ShareProfile => ({
  shareW,
  fallbackW,
  until: shareW > fallbackW ? NOW + SHARE_LEASE_MS : null,
  at: NOW,
})
const charging = (since: number, needW = 22_000) => [{ key: `s${since}`, since, needW }]
const plan = (limitW: number, members: readonly Member[], now = NOW) =>
  planShares({ limitW, minW: MIN_W, members, now })
const requested = (limitW: number, members: readonly Member[], now = NOW) =>
  Object.fromEntries(plan(limitW, members, now).requests.map((ask) => [ask.chargerId, ask.profile.shareW]))

describe('shares of a charging group', () => {
  it('start with the fallback for all: the minimum where it fits for all, otherwise 0', () => {
    expect(requested(10_000, [member('a'), member('b')])).toEqual({ a: 1_400, b: 1_400 })
    expect(requested(2_000, [member('a'), member('b')])).toEqual({ a: 0, b: 0 })
  })

  it('are raised only after the chargers that are lowered have accepted', () => {
    const a = member('a', { charging: charging(1) })
    const b = member('b', { accepted: profileOf(1_400), pending: null })
    expect(requested(10_000, [a, b])).toEqual({ a: 8_600 })
    // A second car: the first is lowered, and until it has accepted that, the second waits.
    const full = member('a', { charging: charging(1), accepted: profileOf(8_600) })
    const second = member('b', { charging: charging(2), accepted: profileOf(1_400) })
    expect(requested(10_000, [full, second])).toEqual({ a: 5_000 })
    const lowering = { ...full, pending: profileOf(5_000) }
    expect(requested(10_000, [lowering, second])).toEqual({})
    expect(requested(10_000, [{ ...full, accepted: profileOf(5_000) }, second])).toEqual({ b: 5_000 })
  })

  it('reserve the last share of a disconnected charger until its lease has expired', () => {
    const away = member('a', { charging: charging(1), accepted: profileOf(8_600), isReachable: false })
    const second = member('b', { charging: charging(2), accepted: profileOf(1_400) })
    expect(requested(10_000, [away, second])).toEqual({})
    const lapsed = NOW + SHARE_LEASE_MS + SHARE_CLOCK_SLACK_MS + 1
    expect(requested(10_000, [away, second], lapsed - 2)).toEqual({})
    expect(requested(10_000, [away, second], lapsed)).toEqual({ b: 8_600 })
  })

  it('count a charger that was never sent a profile with its full power', () => {
    const away = member('a', { isReachable: false, maxW: 7_400 })
    const second = member('b', { charging: charging(2), accepted: profileOf(0, 0) })
    expect(requested(10_000, [away, second])).toEqual({ b: 2_600 })
  })

  it('count the profile that a silent station may follow, and send another after a pause', () => {
    const silent = settleMember(
      member('a', { accepted: profileOf(1_400), pending: profileOf(6_000) }),
      'timed_out',
      NOW,
    )
    const a = member('a', { ...silent, charging: charging(1) })
    const b = member('b', { charging: charging(2), accepted: profileOf(1_400) })
    expect(exposureOfAll([a], NOW)).toBe(6_000)
    expect(requested(10_000, [a, b])).toEqual({ b: 4_000 })
    expect(requested(10_000, [a, b], NOW + SHARE_REFUSED_PAUSE_MS)).toEqual({ a: 5_000 })
  })

  it('pause chargers in order of arrival when the minimum does not fit for all', () => {
    const members = [3, 1, 2].map((since) =>
      member(`c${since}`, { charging: charging(since), accepted: profileOf(0, 0) }),
    )
    expect(requested(3_000, members)).toEqual({ c1: 1_500, c2: 1_500 })
  })

  it('are unchanged for small differences, and are renewed unchanged', () => {
    const a = member('a', { charging: charging(1, 5_200), accepted: profileOf(5_000) })
    const b = member('b', { charging: charging(2), accepted: profileOf(5_000) })
    expect(requested(10_000, [a, b])).toEqual({})
    expect(requested(10_400, [a, b], NOW + SHARE_LEASE_MS * 0.6)).toEqual({ a: 5_000, b: 5_000 })
  })

  it('limit the connectors of one charger together to its power', () => {
    const a = member('a', { maxW: 11_000, charging: [...charging(1), ...charging(2)] })
    expect(requested(50_000, [a])).toEqual({ a: 11_000 })
  })
})

/** A simulated station: it follows the newest profile that it received, by its own clock. */
interface Station {
  profile: ShareProfile | null
  behindMs: number
}
const draws = ({ profile, behindMs }: Station, maxW: number, now: number): number => {
  if (profile === null) return maxW
  return profile.until !== null && now - behindMs <= profile.until ? profile.shareW : profile.fallbackW
}

const charger = fc.nat(5)
/** Random events: mostly those that raise and lower shares, sometimes failures. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 60_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.integer({ min: 1, max: SHARE_LEASE_MS }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reach' as const), who: charger, isReachable: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      who: charger,
      needs: fc.array(fc.integer({ min: 1_000, max: 22_000 }), { maxLength: 2 }),
    }),
  },
  // The profile reaches the station; its response comes later, or never.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('arrive' as const), who: charger }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      who: charger,
      outcome: fc.constant<CommandEndState>('accepted'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      who: charger,
      outcome: fc.constantFrom<CommandEndState>('rejected', 'failed', 'timed_out', 'expired'),
    }),
  },
)

describe('random events in a charging group', () => {
  it('never allow the stations more than the limit in total, once each has accepted a profile', () => {
    const history = fc.record({
      limitW: fc.integer({ min: 1_000, max: 40_000 }),
      stations: fc.array(
        fc.record({
          maxW: fc.integer({ min: 3_700, max: 22_000 }),
          behindMs: fc.integer({ min: -SHARE_CLOCK_SLACK_MS, max: SHARE_CLOCK_SLACK_MS }),
        }),
        { minLength: 2, maxLength: 6 },
      ),
      steps: fc.array(step, { minLength: 50, maxLength: 150 }),
    })
    let raises = 0
    fc.assert(
      fc.property(history, ({ limitW, stations, steps }) => {
        let now = NOW
        const first = { shareW: 0, fallbackW: 0, until: null, at: NOW }
        const real = stations.map(({ behindMs }): Station => ({ profile: first, behindMs }))
        let members = stations.map(({ maxW }, index) => member(String(index), { maxW, accepted: first }))
        const arrived = new Set<number>()
        const change = (charger: number, fields: Partial<Member>) => {
          members = members.map((one, index) => (index === charger ? { ...one, ...fields } : one))
        }
        const reach = (charger: number, profile: ShareProfile) => {
          const station = real[charger]
          if (station) station.profile = profile
          arrived.add(charger)
        }
        const look = () => {
          for (const ask of plan(limitW, members, now).requests) {
            const charger = Number(ask.chargerId)
            expect(members[charger]?.pending).toBeNull()
            expect(ask.profile.shareW).toBeLessThanOrEqual(
              Math.max(ask.profile.fallbackW, members[charger]?.maxW ?? 0),
            )
            arrived.delete(charger)
            change(charger, { pending: ask.profile, ...(ask.isRaise && { raisedAt: now }) })
            raises += Number(ask.isRaise)
          }
        }
        for (const event of steps) {
          const charger = 'who' in event ? event.who % members.length : 0
          const one = members[charger]
          if (event.kind === 'look') look()
          if (event.kind === 'wait') now += event.ms
          if (event.kind === 'reach') change(charger, { isReachable: event.isReachable })
          if (event.kind === 'charge')
            change(charger, {
              charging: event.needs.map((needW, index) => ({
                key: `${charger}-${index}`,
                since: now,
                needW,
              })),
            })
          if (event.kind === 'arrive' && one?.pending) reach(charger, one.pending)
          if (event.kind === 'answer' && one?.pending) {
            const { outcome } = event
            // A received profile was accepted: only its response may be lost. An accepted profile had been
            // received.
            const isKnown = outcome === 'accepted' || outcome === 'timed_out' || outcome === 'failed'
            if (outcome === 'accepted') reach(charger, one.pending)
            if (isKnown || !arrived.has(charger)) change(charger, settleMember(one, outcome, now))
          }
          const sum = real.reduce(
            (watts, station, index) => watts + draws(station, stations[index]?.maxW ?? 0, now),
            0,
          )
          expect(sum).toBeLessThanOrEqual(limitW)
        }
      }),
      { numRuns: 300 },
    )
    expect(raises, 'the random histories must raise shares, or the test proves nothing').toBeGreaterThan(200)
  })

  it('end, without further events, with every charger at its target', () => {
    const cars = fc.array(
      fc.record({ maxW: fc.integer({ min: 1_400, max: 22_000 }), charges: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1_400, max: 60_000 }), cars, (limitW, stations) => {
        let now = NOW
        let members = stations.map(({ maxW, charges }, index) =>
          member(String(index), {
            maxW,
            charging: charges ? [{ key: `k${index}`, since: index, needW: maxW }] : [],
          }),
        )
        let asks = 1
        for (let round = 0; round < 20 && asks > 0; round += 1) {
          const { requests: list } = plan(limitW, members, now)
          asks = list.length
          members = members.map((one) => {
            const ask = list.find(({ chargerId }) => chargerId === one.chargerId)
            return ask ? { ...one, accepted: ask.profile, ...(ask.isRaise && { raisedAt: now }) } : one
          })
          now += 10_000
        }
        expect(asks).toBe(0)
        const { targets } = plan(limitW, members, now)
        for (const { chargerId, accepted } of members)
          expect(Math.abs((accepted?.shareW ?? -1) - (targets.get(chargerId) ?? -1))).toBeLessThan(500)
      }),
    )
  })
})
