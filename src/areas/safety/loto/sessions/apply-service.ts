import { joinMessages } from '../../../../kernel/error-texts.ts'
import { AppError, conflict, invalidReference } from '../../../../kernel/errors.ts'
import { iso } from '../../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { readNewestSamples } from '../../../metering/samples/index.ts'
import { lockInterlock } from '../interlock-store.ts'
import { LOTO_METER_LOOK_BACK_MS, LOTO_SAMPLES_MAX } from '../limits.ts'
import * as locks from '../locks/store.ts'
import { LOTO_TEXTS } from '../messages.ts'
import type { LotoApplication } from './schema.ts'
import { findSession, lockSession, type SessionAction } from './service.ts'
import { requireTransition } from './states.ts'
import * as sessions from './store.ts'
import * as trail from './trail-store.ts'
import { assessMeter, describeExceeding, type Finding, type MeterSample } from './verification.ts'

interface InspectedPoint {
  readonly point: sessions.PointDevice
  readonly finding: Finding
}

interface ApplyInput extends SessionAction {
  readonly inspected: readonly InspectedPoint[]
  readonly body: LotoApplication
}

/**
 * Reads the newest values of the meters at a session's points; empty for an unknown session. Call it before
 * the transaction, because a transaction that waits for the interlock must not need a second connection.
 */
export async function inspectPoints(
  { database }: Pick<Deps, 'database'>,
  db: TenantDb,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<InspectedPoint[]> {
  const points = await sessions.listPointDevices(db, id)
  const deviceKeys = [...new Set(points.flatMap(({ device_key }) => device_key ?? []))]
  const at = now.getTime()
  const from = at - LOTO_METER_LOOK_BACK_MS
  const query = { tenantId: db.tenantId, deviceKeys, from, perDevice: LOTO_SAMPLES_MAX }
  const rows = deviceKeys.length === 0 ? [] : await readNewestSamples(database.pool, query)
  const byKey = new Map<number, MeterSample[]>()
  for (const { deviceKey, ...sample } of rows) {
    const samples = byKey.get(deviceKey) ?? []
    samples.push(sample)
    byKey.set(deviceKey, samples)
  }
  return points.map((point) => {
    const { device_key, device_type } = point
    if (device_key === null) return { point, finding: { kind: 'no_meter' } }
    return { point, finding: assessMeter(byKey.get(device_key) ?? [], device_type ?? '', at) }
  })
}

/**
 * Applies a session: from now on its devices accept no commands. 409 LOTO_LOCKS_MISSING when a point has no
 * lock, LOTO_NOT_DEAD when a meter measures energy, or is silent and its point was not verified manually,
 * LOTO_POINT_APPLIED when another applied session contains a point.
 */
export async function applySession(tx: TenantTx, id: string, input: ApplyInput) {
  const { userId, now, body, note, inspected } = input
  await lockInterlock(tx)
  const session = await lockSession(tx, id)
  const points = await sessions.listPointDevices(tx, id)
  const manual = new Map(
    (body?.manual_verifications ?? []).map((one) => [one.point_id.toLowerCase(), one.note]),
  )
  const ids = new Set(points.map(({ point_id }) => point_id))
  if ([...manual.keys()].some((pointId) => !ids.has(pointId))) throw invalidReference('manual_verifications')
  const status = requireTransition('apply', session.status)
  refuseChangedPoints(inspected, points)
  refuseUnlocked(points, await locks.listLockedPoints(tx, id))
  refuseEnergy(inspected, manual)
  const verifications = new Map(
    inspected.map(({ point, finding }) => [
      point.point_id,
      verificationOf(finding, { note: manual.get(point.point_id) ?? null, userId, now }),
    ]),
  )
  await sessions.holdPoints(tx, id, verifications)
  await sessions.change(tx, id, { status, applied_by: userId, applied_at: now, updated_at: now })
  const details = {
    ...(note && { note }),
    verifications: [...verifications].map(([point_id, verification]) => ({ point_id, ...verification })),
  }
  await trail.append(tx, id, { type: 'applied', at: now, byUser: userId, details })
  return findSession(tx, id)
}

/** The session may have been changed and approved again after its meters were read. */
function refuseChangedPoints(
  inspected: readonly InspectedPoint[],
  points: readonly sessions.PointDevice[],
): void {
  const keysOf = (all: readonly sessions.PointDevice[]) =>
    all.map(({ point_id, device_key }) => `${point_id} ${device_key}`).join()
  if (keysOf(inspected.map(({ point }) => point)) === keysOf(points)) return
  throw conflict('STATE_CONFLICT', LOTO_TEXTS.LOTO_POINTS_CHANGED())
}

/** A point without a lock can be switched on by anybody, so its verification would protect nobody. */
function refuseUnlocked(points: readonly sessions.PointDevice[], lockedPoints: ReadonlySet<string>): void {
  const open = points.filter(({ point_id }) => !lockedPoints.has(point_id))
  if (open.length === 0) return
  const names = open.map(({ name }) => name)
  throw new AppError(409, 'LOTO_LOCKS_MISSING', LOTO_TEXTS.LOTO_POINTS_UNLOCKED({ names }), {
    extra: { point_ids: open.map(({ point_id }) => point_id) },
    shape: 'extended',
  })
}

/** A manual verification replaces the reading of a silent meter, but never one that measures energy. */
function refuseEnergy(inspected: readonly InspectedPoint[], manual: ReadonlyMap<string, string>): void {
  const refused = inspected.filter(
    ({ point, finding }) =>
      finding.kind === 'energised' || (finding.kind === 'silent' && !manual.has(point.point_id)),
  )
  if (refused.length === 0) return
  const messages = refused.map(({ point, finding }) => {
    const { name } = point
    if (finding.kind === 'energised')
      return LOTO_TEXTS.LOTO_POINT_ENERGISED({ point: name, values: describeExceeding(finding.values) })
    const last = finding.kind === 'silent' ? finding.lastAt : null
    return last === null
      ? LOTO_TEXTS.LOTO_POINT_NOT_READ({ point: name })
      : LOTO_TEXTS.LOTO_POINT_SILENT({ point: name, since: iso(last) })
  })
  const readings = refused.map(({ point, finding }) => ({
    point_id: point.point_id,
    measured_at: measuredAt(finding),
    values: finding.kind === 'energised' ? finding.values : null,
  }))
  throw new AppError(
    409,
    'LOTO_NOT_DEAD',
    LOTO_TEXTS.LOTO_POINTS_NOT_DEAD({ findings: joinMessages(messages) }),
    {
      extra: { readings },
      shape: 'extended',
    },
  )
}

function measuredAt(finding: Finding): string | null {
  if (finding.kind === 'no_meter') return null
  const at = finding.kind === 'silent' ? finding.lastAt : finding.at
  return at === null ? null : iso(at)
}

function verificationOf(
  finding: Finding,
  { note, userId, now }: { readonly note: string | null; readonly userId: string; readonly now: Date },
): sessions.PointVerification {
  const isMeasured = finding.kind === 'zero'
  return {
    method: isMeasured ? 'measured' : 'manual',
    measured_at: measuredAt(finding),
    values: isMeasured ? finding.values : null,
    note,
    verified_by: userId,
    verified_at: now.toISOString(),
  }
}
