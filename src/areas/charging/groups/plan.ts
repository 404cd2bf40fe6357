/**
 * Power balancing: the plan of a charging group.
 *
 * Purpose. The chargers of a group share one connection to the grid. Together they must never draw more than
 * its limit, although a station may answer late, not at all, or refuse, and keeps its profile while it is out
 * of reach. The plan is a pure function: it receives the known state of the members and returns the profiles
 * to send now. `balance.ts` runs it under the lock of the group's row; `docs/adr/0039-site-power-limit.md`
 * has the reasons.
 *
 * Safety comes from one number, the exposure of a charger: the most that it may be drawing now, whichever
 * profile it follows. It is the maximum of
 *
 *   - the profile that it has accepted (`accepted`), or all that it can draw before the first one,
 *   - the profile that is on its way (`pending`),
 *   - any profile that it did not answer (`doubtfulW`).
 *
 * A share is raised only if it and the exposures of all other chargers fit within the limit. The safety of
 * the plan does not depend on the order of responses, on their arrival, or on the complete execution of a
 * plan.
 *
 * A share is a lease. A station is sent its share for SHARE_LEASE_MS and, after that, the fallback for ever.
 * An unreachable station therefore returns to the fallback by itself. The fallback is the minimum of a
 * connector where that fits for all members, otherwise 0. A lapsed share counts for SHARE_CLOCK_SLACK_MS
 * longer, because the station's clock may be behind.
 *
 * Modes.
 *
 *   lower    at once: it frees power that others wait for
 *   raise    when there is room, by order of arrival, at most every SHARE_RAISE_EVERY_MS unless the share is below
 *            the minimum
 *   renew    when half of the lease is over; in quiet times with the same share, so that it does not creep
 *   repeat   after a restart, and until a profile that was not answered is superseded
 *   back off after a refusal or no response: the charger counts with its exposure and is not asked for a while
 *
 * Trade-offs. While a lowered share is not confirmed, raises of other chargers wait: up to the timeout of a
 * call, or until the lease of a silent station has lapsed. A station whose clock is behind by more than the
 * slack draws its old share that much longer. A limit that is lowered holds only when the stations have
 * accepted it. Differences below SHARE_STEP_W are not sent.
 */
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
 * A share until an instant, and a fallback, which is never more than the share, ever after. Stored as JSON.
 */
export interface ShareProfile {
  readonly shareW: number
  readonly fallbackW: number
  /** Epoch milliseconds; null when the share is the fallback. */
  readonly until: number | null
  /** When it was sent, epoch milliseconds. */
  readonly at: number
}

/** A connector of a member that is charging. */
export interface Charging {
  readonly key: string
  /** The start of its session, epoch milliseconds: connectors are admitted in the order of arrival. */
  readonly since: number
  readonly needW: number
}

export interface Member {
  readonly chargerId: string
  readonly maxW: number
  readonly isReachable: boolean
  /**
   * True when the station has restarted since it accepted its profile. It should have stored the profile, but
   * is sent it again.
   */
  readonly isRestarted: boolean
  readonly charging: readonly Charging[]
  readonly accepted: ShareProfile | null
  readonly pending: ShareProfile | null
  readonly doubtfulW: number | null
  readonly refusedAt: number | null
  readonly raisedAt: number | null
}

export interface PlanInput {
  readonly limitW: number
  readonly minW: number
  readonly members: readonly Member[]
  readonly now: number
}

export interface Plan {
  /** The profiles to send now. A raise is among them only when it fits beside the exposures of all others. */
  readonly requests: readonly {
    readonly chargerId: string
    readonly profile: ShareProfile
    readonly isRaise: boolean
  }[]
  /** The share that each charger is to reach, in watts, by its id. */
  readonly targets: ReadonlyMap<string, number>
}

const mayDraw = ({ shareW, fallbackW, until }: ShareProfile, now: number): number =>
  until !== null && now <= until + SHARE_CLOCK_SLACK_MS ? shareW : fallbackW

/** The exposure of a charger: the most that it may draw now, whichever of its profiles it follows. */
export function exposureOf({ maxW, accepted, pending, doubtfulW }: Member, now: number): number {
  const known = accepted === null ? maxW : mayDraw(accepted, now)
  return Math.max(known, pending === null ? 0 : mayDraw(pending, now), doubtfulW ?? 0)
}

export const exposureOfAll = (members: readonly Member[], now: number): number =>
  members.reduce((sum, member) => sum + exposureOf(member, now), 0)

/** True when the station refused recently or did not respond, so that no profile is sent to it yet. */
export const isBackingOff = ({ refusedAt, accepted }: Member, now: number): boolean =>
  refusedAt !== null &&
  now - refusedAt < (accepted === null ? SHARE_NEVER_TAKEN_PAUSE_MS : SHARE_REFUSED_PAUSE_MS)

/** True when nothing can be sent to the station now. Its exposure is then subtracted from the limit. */
const isFixed = (member: Member, now: number): boolean => !member.isReachable || isBackingOff(member, now)

interface Target {
  readonly member: Member
  readonly shareW: number
  readonly fallbackW: number
}

/** The targets of all chargers that can be sent something: in sum never more than the others leave. */
function targetsOf({ limitW, minW, members, now }: PlanInput): Target[] {
  const adjustable = members.filter((member) => !isFixed(member, now))
  const fixedW = exposureOfAll(
    members.filter((member) => isFixed(member, now)),
    now,
  )
  const restW = Math.max(0, limitW - fixedW)
  // The fallback is the minimum for all members, or nothing for any of them.
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

/** The claims in the order of arrival. Those that hold a fallback come first: others cannot have it. */
function claimsOf(members: readonly Member[], minW: number, fallbackOf: (member: Member) => number): Claim[] {
  return members
    .flatMap((member) => {
      const evenW = Math.floor(member.maxW / Math.max(1, member.charging.length))
      return member.charging
        .toSorted((a, b) => a.since - b.since)
        .map((charging, index) => {
          const heldW = index === 0 ? fallbackOf(member) : 0
          const claim = { minW: Math.max(Math.min(minW, evenW), heldW), maxW: Math.max(evenW, heldW) }
          return { ...charging, ...claim, isHeld: heldW > 0 }
        })
    })
    .toSorted((a, b) => Number(b.isHeld) - Number(a.isHeld) || a.since - b.since || (a.key < b.key ? -1 : 1))
}

/** The profiles to send now (modes: see above). */
export function planShares(group: PlanInput): Plan {
  const { limitW, minW, members, now } = group
  const targets = targetsOf(group)
  const free = targets.filter(({ member }) => member.pending === null)
  const isQuiet = targets.every(
    ({ member, shareW }) =>
      member.accepted !== null && Math.abs(shareW - shareNow(member, now)) < SHARE_STEP_W,
  )
  let roomW = limitW - exposureOfAll(members, now)
  const requests: { chargerId: string; profile: ShareProfile; isRaise: boolean }[] = []
  const request = ({ member }: Target, profile: ShareProfile): void => {
    const moreW = mayDraw(profile, now) - exposureOf(member, now)
    if (moreW > 0 && moreW > roomW) return
    roomW -= Math.max(0, moreW)
    requests.push({
      chargerId: member.chargerId,
      profile,
      isRaise: profile.shareW > (member.accepted ? shareNow(member, now) : profile.shareW),
    })
  }
  const isRaise = ({ member, shareW }: Target) => shareW > exposureOf(member, now)
  for (const target of free.filter((one) => !isRaise(one))) {
    if (isDue(target, { isQuiet, now })) request(target, profileFor(target, now, isQuiet))
  }
  for (const target of free.filter(isRaise).toSorted(byArrival)) {
    const { member, shareW } = target
    const isLow = shareNow(member, now) < minW
    const isPaced = member.raisedAt === null || now - member.raisedAt >= SHARE_RAISE_EVERY_MS
    const isWorth = shareW - shareNow(member, now) >= SHARE_STEP_W
    if ((isWorth && (isLow || isPaced)) || isDue(target, { isQuiet: true, now }))
      request(target, profileFor(target, now, !isWorth))
  }
  return { requests, targets: new Map(targets.map(({ member, shareW }) => [member.chargerId, shareW])) }
}

const byArrival = (a: Target, b: Target) => firstOf(a.member) - firstOf(b.member)
const firstOf = ({ charging }: Member) => Math.min(...charging.map(({ since }) => since), Infinity)

const shareNow = ({ accepted }: Member, now: number): number => (accepted ? mayDraw(accepted, now) : 0)

/** True when a profile must be sent to a charger, even an unchanged one. */
function isDue(
  { member, shareW, fallbackW }: Target,
  { isQuiet, now }: { readonly isQuiet: boolean; readonly now: number },
): boolean {
  const { accepted, doubtfulW, isRestarted } = member
  if (accepted === null || doubtfulW !== null || isRestarted || accepted.fallbackW !== fallbackW) return true
  if (!isQuiet && shareW !== accepted.shareW) return true
  return accepted.until !== null && accepted.until - now < SHARE_LEASE_MS / 2
}

/**
 * The profile for a target. In quiet times the accepted share is repeated, so that it does not creep by
 * renewals.
 */
function profileFor({ member, shareW, fallbackW }: Target, now: number, isQuiet: boolean): ShareProfile {
  const { accepted, doubtfulW } = member
  const isKept =
    isQuiet &&
    accepted !== null &&
    doubtfulW === null &&
    accepted.fallbackW === fallbackW &&
    mayDraw(accepted, now) === accepted.shareW &&
    Math.abs(shareW - accepted.shareW) < SHARE_STEP_W
  const keptW = isKept ? accepted.shareW : shareW
  return { shareW: keptW, fallbackW, until: keptW > fallbackW ? now + SHARE_LEASE_MS : null, at: now }
}

/** The end state of a command that sent a share. */
export type CommandEndState = 'accepted' | 'rejected' | 'failed' | 'timed_out' | 'expired' | 'cancelled'

type MemberState = Pick<Member, 'accepted' | 'pending' | 'doubtfulW' | 'refusedAt'>

/**
 * The member after the end of its command. A station that did not answer may follow the profile all the same:
 * it is part of the exposure until another one is accepted.
 */
export function settleMember(member: MemberState, endState: CommandEndState, now: number): MemberState {
  const { accepted, pending, doubtfulW, refusedAt } = member
  switch (endState) {
    case 'accepted':
      return { accepted: pending, pending: null, doubtfulW: null, refusedAt: null }
    case 'rejected':
      return { accepted, pending: null, doubtfulW, refusedAt: now }
    case 'failed':
    case 'timed_out':
      return {
        accepted,
        pending: null,
        doubtfulW: Math.max(doubtfulW ?? 0, pending?.shareW ?? 0),
        refusedAt: now,
      }
    case 'expired':
    case 'cancelled':
      return { accepted, pending: null, doubtfulW, refusedAt }
  }
}
