import { MODBUS_FAIRNESS_STEP_MS, MODBUS_PROBE_PATIENCE_MS } from './limits.ts'
import type { Poll, Slave } from './slave.ts'

export type Choice = { readonly slave: Slave; readonly poll: Poll } | { readonly waitMs: number }

interface Present {
  readonly now: number
  /** Slaves that were silent are not asked before. */
  readonly riskyFrom: number
  /** Slaves that were never asked do not come before those that are due, until then. */
  readonly newFrom: number
}

/** Nothing changes by itself in between, but a look costs nothing. */
const WAIT_MAX_MS = 5_000

/**
 * Which request is next. Of the slaves that answer and are due, one that has had little time on the line lately: a slow
 * one waits for the quick ones, and nobody starves. Among equals the one whose round must be through first. New slaves come first, within limits; silent ones are asked
 * when nobody is due, and within their share of the time.
 */
export function chooseNext(slaves: readonly Slave[], present: Present): Choice {
  const { now, newFrom } = present
  const fresh = chooseProbe(slaves, ({ failures, probeAt }) => failures === 0 && probeAt <= now)
  if (fresh && now >= newFrom) return fresh
  const silent = chooseProbe(slaves, (slave) => slave.failures > 0 && askableAt(slave, present) <= now)
  const isOverdue = silent && silent.slave.probeAt < now - MODBUS_PROBE_PATIENCE_MS
  if (isOverdue) return silent
  return chooseDue(slaves, now) ?? fresh ?? silent ?? { waitMs: waitOf(slaves, present) }
}

/** The group of a slave that must be through first. */
function urgent(slave: Slave): Poll | undefined {
  let first: Poll | undefined
  for (const poll of slave.polls) {
    if (!first || endsAt(poll) < endsAt(first)) first = poll
  }
  return first
}

/** In coarse steps: slaves that differ little keep their order, and with it the distance between their readings. */
const shareOf = (slave: Slave, now: number): number => Math.floor(slave.used(now) / MODBUS_FAIRNESS_STEP_MS)

const endsAt = ({ dueAt, periodMs }: Poll): number => dueAt + periodMs

function chooseDue(slaves: readonly Slave[], now: number) {
  let best: { slave: Slave; poll: Poll; share: number } | undefined
  for (const slave of slaves) {
    if (slave.health !== 'good') continue
    for (const poll of slave.polls) {
      if (poll.dueAt > now) continue
      const share = shareOf(slave, now)
      const isFairer = !best || share < best.share
      if (isFairer || (share === best?.share && endsAt(poll) < endsAt(best.poll)))
        best = { slave, poll, share }
    }
  }
  return best
}

/** When it may be asked: at once the first time, afterwards within the share that silent slaves have. */
const askableAt = ({ probeAt, failures }: Slave, { riskyFrom }: Present): number =>
  failures === 0 ? probeAt : Math.max(probeAt, riskyFrom)

function chooseProbe(slaves: readonly Slave[], isAskable: (slave: Slave) => boolean) {
  let best: Slave | undefined
  for (const slave of slaves) {
    if (slave.health === 'good' || !isAskable(slave)) continue
    if (!best || slave.probeAt < best.probeAt) best = slave
  }
  const poll = best && urgent(best)
  return best && poll ? { slave: best, poll } : undefined
}

function waitOf(slaves: readonly Slave[], present: Present): number {
  let next = present.now + WAIT_MAX_MS
  for (const slave of slaves) {
    if (slave.health !== 'good') next = Math.min(next, askableAt(slave, present))
    else for (const poll of slave.polls) next = Math.min(next, poll.dueAt)
  }
  return Math.max(1, next - present.now)
}
