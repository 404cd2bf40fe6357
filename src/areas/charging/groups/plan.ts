import {
  SHARE_CLOCK_SLACK_MS,
  SHARE_LEASE_MS,
  SHARE_NEVER_TAKEN_PAUSE_MS,
  SHARE_RAISE_EVERY_MS,
  SHARE_REFUSED_PAUSE_MS,
  SHARE_STEP_W,
} from '../limits.ts'
import { type Claim, shareOut } from './share.ts'

/**
 * A profile of ours: a share until an instant, and a fallback, which is never more than the share, ever
 * after.
 */
export interface Told {
  readonly shareW: number
  readonly fallbackW: number
  /** Epoch milliseconds; null when the share is the fallback. */
  readonly until: number | null
  /** When it was told. */
  readonly at: number
}

/** A connector of a member that charges. */
export interface Charging {
  readonly key: string
  /** When its session began: who came first is let in first. */
  readonly since: number
  readonly needW: number
}

export interface Member {
  readonly chargerId: string
  readonly maxW: number
  readonly isReachable: boolean
  /** It has started anew since it accepted its profile: it should have kept it, and hears it again. */
  readonly isRestarted: boolean
  readonly charging: readonly Charging[]
  readonly agreed: Told | null
  readonly asked: Told | null
  readonly doubtfulW: number | null
  readonly refusedAt: number | null
  readonly raisedAt: number | null
}

export interface PlanOf {
  readonly limitW: number
  readonly minW: number
  readonly members: readonly Member[]
  readonly now: number
}

export interface Plan {
  /**
   * What to tell now. One that raises is among them only when it fits beside all that others may draw at this
   * moment.
   */
  readonly asks: readonly { readonly chargerId: string; readonly told: Told; readonly isRaise: boolean }[]
  /** What each charger is to come to. */
  readonly targets: ReadonlyMap<string, number>
}

const mayDraw = ({ shareW, fallbackW, until }: Told, now: number): number =>
  until !== null && now <= until + SHARE_CLOCK_SLACK_MS ? shareW : fallbackW

/** The most that a charger may draw at this moment, whichever of the profiles it was sent it follows. */
export function exposureOf({ maxW, agreed, asked, doubtfulW }: Member, now: number): number {
  const known = agreed === null ? maxW : mayDraw(agreed, now)
  return Math.max(known, asked === null ? 0 : mayDraw(asked, now), doubtfulW ?? 0)
}

export const exposureOfAll = (members: readonly Member[], now: number): number =>
  members.reduce((sum, member) => sum + exposureOf(member, now), 0)

/** It refused a short while ago, or did not answer. */
export const isLeftAlone = ({ refusedAt, agreed }: Member, now: number): boolean =>
  refusedAt !== null &&
  now - refusedAt < (agreed === null ? SHARE_NEVER_TAKEN_PAUSE_MS : SHARE_REFUSED_PAUSE_MS)

/** Cannot be told anything now: what it may draw is taken from the limit as it is. */
const isFixed = (member: Member, now: number): boolean => !member.isReachable || isLeftAlone(member, now)

interface Target {
  readonly member: Member
  readonly shareW: number
  readonly fallbackW: number
}

/** What every charger that can be told anything is to come to: never more in sum than the others leave. */
function targetsOf({ limitW, minW, members, now }: PlanOf): Target[] {
  const adjustable = members.filter((member) => !isFixed(member, now))
  const fixedW = exposureOfAll(
    members.filter((member) => isFixed(member, now)),
    now,
  )
  const restW = Math.max(0, limitW - fixedW)
  // Everybody may draw the minimum without asking, or nobody anything.
  const fitsAll = members.length * minW <= limitW && adjustable.length * minW <= restW
  const fallbackOf = ({ maxW }: Member) => (fitsAll ? Math.min(minW, maxW) : 0)
  const idleW = adjustable
    .filter(({ charging }) => charging.length === 0)
    .reduce((sum, member) => sum + fallbackOf(member), 0)
  const shares = shareOut(restW - idleW, claimsOf(adjustable, minW, fallbackOf))
  return adjustable.map((member) => {
    const fallbackW = fallbackOf(member)
    const sumW = member.charging.reduce((sum, { key }) => sum + (shares.get(key) ?? 0), 0)
    return { member, fallbackW, shareW: Math.max(fallbackW, Math.min(sumW, member.maxW)) }
  })
}

/** In the order of arrival; but what a charger may draw without asking is not to be had by others. */
function claimsOf(members: readonly Member[], minW: number, fallbackOf: (member: Member) => number): Claim[] {
  return members
    .flatMap((member) => {
      const evenW = Math.floor(member.maxW / Math.max(1, member.charging.length))
      return member.charging
        .toSorted((a, b) => a.since - b.since)
        .map((charging, place) => {
          const heldW = place === 0 ? fallbackOf(member) : 0
          const claim = { minW: Math.max(Math.min(minW, evenW), heldW), maxW: Math.max(evenW, heldW) }
          return { ...charging, ...claim, isHeld: heldW > 0 }
        })
    })
    .toSorted((a, b) => Number(b.isHeld) - Number(a.isHeld) || a.since - b.since || (a.key < b.key ? -1 : 1))
}

/** Lowers at once, raises when there is room, renews what would lapse, and leaves small differences alone. */
export function planShares(group: PlanOf): Plan {
  const { limitW, minW, members, now } = group
  const targets = targetsOf(group)
  const free = targets.filter(({ member }) => member.asked === null)
  const isQuiet = targets.every(
    ({ member, shareW }) => member.agreed !== null && Math.abs(shareW - shareNow(member, now)) < SHARE_STEP_W,
  )
  let roomW = limitW - exposureOfAll(members, now)
  const asks: { chargerId: string; told: Told; isRaise: boolean }[] = []
  const ask = ({ member }: Target, told: Told): void => {
    const moreW = mayDraw(told, now) - exposureOf(member, now)
    if (moreW > 0 && moreW > roomW) return
    roomW -= Math.max(0, moreW)
    asks.push({
      chargerId: member.chargerId,
      told,
      isRaise: told.shareW > (member.agreed ? shareNow(member, now) : told.shareW),
    })
  }
  const isRaise = ({ member, shareW }: Target) => shareW > exposureOf(member, now)
  for (const target of free.filter((one) => !isRaise(one))) {
    if (isDue(target, { isQuiet, now })) ask(target, toldFor(target, now, isQuiet))
  }
  for (const target of free.filter(isRaise).toSorted(byArrival)) {
    const { member, shareW } = target
    const isLow = shareNow(member, now) < minW
    const isPaced = member.raisedAt === null || now - member.raisedAt >= SHARE_RAISE_EVERY_MS
    const isWorth = shareW - shareNow(member, now) >= SHARE_STEP_W
    if ((isWorth && (isLow || isPaced)) || isDue(target, { isQuiet: true, now }))
      ask(target, toldFor(target, now, !isWorth))
  }
  return { asks, targets: new Map(targets.map(({ member, shareW }) => [member.chargerId, shareW])) }
}

const byArrival = (a: Target, b: Target) => firstOf(a.member) - firstOf(b.member)
const firstOf = ({ charging }: Member) => Math.min(...charging.map(({ since }) => since), Infinity)

const shareNow = ({ agreed }: Member, now: number): number => (agreed ? mayDraw(agreed, now) : 0)

/** Whether a charger has to hear something, be it the same again. */
function isDue(
  { member, shareW, fallbackW }: Target,
  { isQuiet, now }: { readonly isQuiet: boolean; readonly now: number },
): boolean {
  const { agreed, doubtfulW, isRestarted } = member
  if (agreed === null || doubtfulW !== null || isRestarted || agreed.fallbackW !== fallbackW) return true
  if (!isQuiet && shareW !== agreed.shareW) return true
  return agreed.until !== null && agreed.until - now < SHARE_LEASE_MS / 2
}

/**
 * In quiet times what was told is told again, so that a share does not creep from one renewal to the next.
 */
function toldFor({ member, shareW, fallbackW }: Target, now: number, isQuiet: boolean): Told {
  const { agreed, doubtfulW } = member
  const isKept =
    isQuiet &&
    agreed !== null &&
    doubtfulW === null &&
    agreed.fallbackW === fallbackW &&
    mayDraw(agreed, now) === agreed.shareW &&
    Math.abs(shareW - agreed.shareW) < SHARE_STEP_W
  const keptW = isKept ? agreed.shareW : shareW
  return { shareW: keptW, fallbackW, until: keptW > fallbackW ? now + SHARE_LEASE_MS : null, at: now }
}

/** How a command that told a share ended. */
export type Outcome = 'accepted' | 'rejected' | 'failed' | 'timed_out' | 'expired' | 'cancelled'

type Standing = Pick<Member, 'agreed' | 'asked' | 'doubtfulW' | 'refusedAt'>

/**
 * A station that did not answer may have taken the profile all the same: that counts until it accepts
 * another.
 */
export function settle(member: Standing, outcome: Outcome, now: number): Standing {
  const { agreed, asked, doubtfulW, refusedAt } = member
  switch (outcome) {
    case 'accepted':
      return { agreed: asked, asked: null, doubtfulW: null, refusedAt: null }
    case 'rejected':
      return { agreed, asked: null, doubtfulW, refusedAt: now }
    case 'failed':
    case 'timed_out':
      return { agreed, asked: null, doubtfulW: Math.max(doubtfulW ?? 0, asked?.shareW ?? 0), refusedAt: now }
    case 'expired':
    case 'cancelled':
      return { agreed, asked: null, doubtfulW, refusedAt }
  }
}
