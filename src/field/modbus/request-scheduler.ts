import { MODBUS_FAIRNESS_STEP_MS, MODBUS_PROBE_PATIENCE_MS } from './limits.ts'
import type { Poll, Slave } from './slave.ts'

export type NextRequest = { readonly slave: Slave; readonly poll: Poll } | { readonly waitMs: number }

interface SchedulerState {
  readonly now: number
  /** Silent slaves are not probed before, monotonic clock. */
  readonly silentProbesFrom: number
  /** Unproven slaves do not precede due ones before, monotonic clock. */
  readonly newProbesFrom: number
}

/** An upper bound for safety: nothing becomes due by itself in between. */
const WAIT_MAX_MS = 5_000

/**
 * Selects the next request of a line, or the time to wait. A pure function of the slaves' state.
 *
 * Order of preference:
 * 1. an unproven slave, but after a timeout of one only when due slaves have had as much time
 *    (`newProbesFrom`);
 * 2. a silent slave that has waited longer than MODBUS_PROBE_PATIENCE_MS, within the share of silent
 *    slaves;
 * 3. of the slaves that respond and are due, the one with the least recent line time (fair queueing): a
 *    slow slave waits for the fast ones and none starves. Among equal shares the earliest deadline of a
 *    round wins;
 * 4. an unproven slave, then a silent one, while no slave is due.
 */
export function nextRequest(slaves: readonly Slave[], state: SchedulerState): NextRequest {
  const { now, newProbesFrom: newFrom } = state
  const unproven = chooseProbe(slaves, ({ failures, probeAt }) => failures === 0 && probeAt <= now)
  if (unproven && now >= newFrom) return unproven
  const silent = chooseProbe(slaves, (slave) => slave.failures > 0 && probeableAt(slave, state) <= now)
  const isOverdue = silent && silent.slave.probeAt < now - MODBUS_PROBE_PATIENCE_MS
  if (isOverdue) return silent
  return chooseDue(slaves, now) ?? unproven ?? silent ?? { waitMs: idleTime(slaves, state) }
}

/** The poll group of a slave with the earliest deadline. */
function mostUrgentPoll(slave: Slave): Poll | undefined {
  let first: Poll | undefined
  for (const poll of slave.polls) {
    if (!first || endsAt(poll) < endsAt(first)) first = poll
  }
  return first
}

/**
 * In coarse steps: slaves with similar shares keep their order, and so the intervals between their readings
 * stay even.
 */
const lineShare = (slave: Slave, now: number): number =>
  Math.floor(slave.lineTimeUsed(now) / MODBUS_FAIRNESS_STEP_MS)

const endsAt = ({ dueAt, periodMs }: Poll): number => dueAt + periodMs

function chooseDue(slaves: readonly Slave[], now: number) {
  let best: { slave: Slave; poll: Poll; share: number } | undefined
  for (const slave of slaves) {
    if (slave.health !== 'good') continue
    for (const poll of slave.polls) {
      if (poll.dueAt > now) continue
      const share = lineShare(slave, now)
      const isFairer = !best || share < best.share
      if (isFairer || (share === best?.share && endsAt(poll) < endsAt(best.poll)))
        best = { slave, poll, share }
    }
  }
  return best
}

/** When a slave may be probed: at once the first time, afterwards within the line share of silent slaves. */
const probeableAt = (
  { probeAt, failures }: Slave,
  { silentProbesFrom: riskyFrom }: SchedulerState,
): number => (failures === 0 ? probeAt : Math.max(probeAt, riskyFrom))

function chooseProbe(slaves: readonly Slave[], isProbeable: (slave: Slave) => boolean) {
  let best: Slave | undefined
  for (const slave of slaves) {
    if (slave.health === 'good' || !isProbeable(slave)) continue
    if (!best || slave.probeAt < best.probeAt) best = slave
  }
  const poll = best && mostUrgentPoll(best)
  return best && poll ? { slave: best, poll } : undefined
}

function idleTime(slaves: readonly Slave[], state: SchedulerState): number {
  let next = state.now + WAIT_MAX_MS
  for (const slave of slaves) {
    if (slave.health !== 'good') next = Math.min(next, probeableAt(slave, state))
    else for (const poll of slave.polls) next = Math.min(next, poll.dueAt)
  }
  return Math.max(1, next - state.now)
}
