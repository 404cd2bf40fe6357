import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEQ_NO_RUNS_MAX, SEQ_NOS_MISSING_MAX, SESSION_INTERVALS_MAX } from '../limits.ts'
import {
  join,
  missingSeqNos,
  type SessionEvent,
  type SessionState,
  stateOfEvent,
  toSessionColumns,
} from './session-state.ts'

/** Instants count from here: a clock before 2000 is not set. */
const T0 = Date.UTC(2026, 0, 5)

const event = (seqNo: number, more: Partial<SessionEvent> = {}): SessionEvent => ({
  transactionId: 'a',
  kind: 'updated',
  seqNo,
  at: T0 + 1_000 * seqNo,
  isOffline: false,
  register: [],
  intervals: [],
  ...more,
})
const all = (events: readonly SessionEvent[]): SessionState =>
  events.map(stateOfEvent).reduce((a, b) => join(a, b))

const tag = { tag: 'AA', status: 'accepted', parentTag: null }
const whole = [
  event(0, {
    kind: 'started',
    connectorId: 2,
    tag,
    remoteStart: 7,
    register: [{ at: T0, wh: 100, moment: 'begin' }],
  }),
  event(1, { chargingState: 'Charging' }),
  event(2, { register: [{ at: T0 + 2_000, wh: 600, moment: 'during' }] }),
  event(3, { chargingState: 'SuspendedEV', isOffline: true }),
  event(4, {
    kind: 'ended',
    chargingState: 'Idle',
    stopReason: 'EVDisconnected',
    register: [{ at: T0 + 4_000, wh: 900, moment: 'end' }],
  }),
]

const events = fc.array(
  fc.record({
    transactionId: fc.constant('a'),
    kind: fc.constantFrom('started' as const, 'updated' as const, 'ended' as const),
    seqNo: fc.nat(12),
    at: fc.nat(20),
    isOffline: fc.boolean(),
    connectorId: fc.option(fc.nat(3), { nil: undefined }),
    tag: fc.option(fc.constantFrom(tag, { ...tag, tag: 'BB', status: 'invalid' }), { nil: undefined }),
    chargingState: fc.option(fc.constantFrom('Charging', 'Idle'), { nil: undefined }),
    stopReason: fc.option(fc.constantFrom('Local', 'Remote'), { nil: undefined }),
    remoteStart: fc.option(fc.nat(5), { nil: undefined }),
    reservation: fc.option(fc.nat(5), { nil: undefined }),
    register: fc.array(
      fc.record({
        at: fc.nat(20),
        wh: fc.nat(50),
        moment: fc.constantFrom('begin' as const, 'end' as const, 'during' as const),
      }),
      { maxLength: 3 },
    ),
    intervals: fc.array(fc.record({ at: fc.nat(20), milliWh: fc.nat(5_000), isOfClock: fc.boolean() }), {
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 12 },
)

describe('state of a session', () => {
  test('contains the data of a complete session', () => {
    expect(toSessionColumns(all(whole))).toEqual({
      id_tag: 'AA',
      parent_tag: null,
      authorization_status: 'accepted',
      state: 'ended',
      started_at: new Date(T0),
      meter_start_wh: 100,
      ended_at: new Date(T0 + 4_000),
      meter_stop_wh: 900,
      stop_reason: 'EVDisconnected',
      stop_id_tag: null,
      meter_last_wh: 900,
      meter_last_at: new Date(T0 + 4_000),
      interval_wh: null,
      interval_last_at: null,
      charging_state: 'Idle',
      reservation_number: null,
      flags: ['offline'],
      last_seq_no: 4,
      missing_seq_nos: [],
    })
  })

  test('is merged from events by a commutative, associative and idempotent operation', () => {
    fc.assert(
      fc.property(
        fc.tuple(events, fc.boolean()).chain(([any, hasRegister]) => {
          const list = hasRegister ? any : any.map((one) => ({ ...one, register: [] }))
          return fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }),
            fc.nat(list.length * 2),
          )
        }),
        ([list, shuffled, cut]) => {
          const expected = all(list)
          expect(all(shuffled)).toEqual(expected)
          const halves = [shuffled.slice(0, cut), shuffled.slice(cut)].filter((half) => half.length > 0)
          expect(halves.map(all).reduce((a, b) => join(a, b))).toEqual(expected)
          expect(join(expected, expected)).toEqual(expected)
          // The state as it is read back from the database.
          expect(toSessionColumns(JSON.parse(JSON.stringify(expected)))).toEqual(toSessionColumns(expected))
        },
      ),
    )
  })

  const interval = (at: number, milliWh: number, isOfClock = false) => ({ at: T0 + at, milliWh, isOfClock })
  const energyOf = (list: readonly SessionEvent[]) => {
    const { interval_wh: sum, interval_last_at: until } = toSessionColumns(all(list))
    return [sum, until === null ? null : until.getTime() - T0]
  }

  test('sums intervals where no register is known, each once', () => {
    const during = [
      event(1, { intervals: [interval(1_000, 500_400), interval(900, 7, true)] }),
      event(2, { intervals: [interval(2_000, 500_400), interval(1_800, 7, true)] }),
    ]
    const repeating = event(3, {
      kind: 'ended',
      intervals: [interval(1_500, 900_000), interval(2_000, 500_400), interval(3_000, 100_000)],
    })
    expect(energyOf(during)).toEqual([1_001, 2_000])
    expect(energyOf([...during, repeating, ...during])).toEqual([1_101, 3_000])
    expect(energyOf([repeating])).toEqual([1_500, 3_000])
    expect(energyOf([event(1, { intervals: [interval(900, 3_000, true)] })])).toEqual([3, 900])
    // A register is more exact and covers the whole session.
    const register = event(4, { register: [{ at: T0 + 4_000, wh: 9, moment: 'end' }] })
    expect(energyOf([...during, register])).toEqual([null, null])
    expect(energyOf([register, ...during])).toEqual([null, null])
  })

  test('keeps old intervals of a very long session as one sum, and still counts each once', () => {
    const count = SESSION_INTERVALS_MAX + 500
    const list = Array.from({ length: count / 100 }, (_, n) =>
      event(n, {
        intervals: Array.from({ length: 100 }, (_one, index) =>
          interval((n * 100 + index + 1) * 1_000, 1_500),
        ),
      }),
    )
    expect(all(list).intervals?.during?.list).toHaveLength(SESSION_INTERVALS_MAX)
    const expected = [(count * 3) / 2, count * 1_000]
    expect(energyOf(list)).toEqual(expected)
    expect(energyOf([...list, ...list.slice(0, 3), ...list.slice(-3)])).toEqual(expected)
  })

  test('lists missing numbers below the highest received one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(60), { minLength: 1 }), (numbers) => {
        const expected = Array.from({ length: Math.max(...numbers) }, (_, n) => n).filter(
          (n) => !numbers.includes(n),
        )
        expect(missingSeqNos(all(numbers.map((n) => event(n))))).toEqual(expected)
      }),
    )
  })

  test('is bounded in size for a station with arbitrary sequence numbers', () => {
    const state = all(Array.from({ length: 1_000 }, (_, n) => event(n * 1_000)))
    expect(state.seen).toHaveLength(SEQ_NO_RUNS_MAX)
    expect(toSessionColumns(state).missing_seq_nos.length).toBeLessThanOrEqual(SEQ_NOS_MISSING_MAX)
    expect(toSessionColumns(state).last_seq_no).toBe(999_000)
  })

  test('of an end without a start contains the known data and the missing numbers', () => {
    const [start, ...rest] = whole
    const before = toSessionColumns(all(rest))
    expect(before.flags).toEqual(['offline', 'ended_without_start'])
    expect(before.missing_seq_nos).toEqual([0])
    expect(before).toMatchObject({ state: 'ended', started_at: new Date(T0 + 1_000), meter_start_wh: 600 })
    if (start)
      expect(toSessionColumns(join(all(rest), stateOfEvent(start)))).toEqual(toSessionColumns(all(whole)))
  })

  test('flags anomalies', () => {
    const [start] = whole
    if (!start) throw new Error('there is none')
    const unknown = { ...start, tag: { ...tag, status: 'invalid' } }
    expect(toSessionColumns(stateOfEvent(unknown)).flags).toEqual(['unknown_tag'])
    const back = event(1, { kind: 'ended', register: [{ at: T0 + 1_005, wh: 50, moment: 'end' }] })
    expect(toSessionColumns(all([start, back])).flags).toEqual(['meter_went_back'])
    expect(toSessionColumns({ ...all(whole.slice(0, 3)), superseded: true })).toMatchObject({
      state: 'ended',
      ended_at: new Date(T0 + 2_000),
      meter_stop_wh: 600,
      flags: ['end_not_told'],
    })
  })
})
