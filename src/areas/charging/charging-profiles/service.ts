import { conflict, found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import { declaredOf } from '../../../platform/db/columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { cancelIfPending, enqueueCommand } from '../commands/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { type KnownCharger, requireCharger } from '../registry/index.ts'
import { settleProfile } from './effects.ts'
import type { ClearChargingProfiles, GetCompositeSchedule, Profile, SetChargingProfile } from './profile.ts'
import { profileOf } from './profile-rules.ts'
import {
  ClearBody,
  CompositeBody,
  type CreateProfile,
  type ProfileBody,
  type ProfileQuery,
} from './schema.ts'
import * as store from './store.ts'

const WHAT = 'charging profile'

export interface Caller {
  readonly userId: string
  readonly now: Date
}

export const findProfile = async (db: TenantDb, id: string) => found(WHAT, await store.find(db, id))

export async function listProfiles(db: TenantDb, chargerId: string, query: ProfileQuery) {
  const charger = await requireCharger(db, chargerId)
  return store.list(db, charger.id, query)
}

const enqueue = (
  tx: TenantTx,
  chargerId: string,
  {
    action,
    request,
    caller,
  }: { readonly action: CommandAction; readonly request: object; readonly caller: Caller },
) =>
  enqueueCommand(tx, {
    charger: { chargerId },
    action,
    request,
    requestedBy: caller.userId,
    now: caller.now,
  })

/** Throws 409 CHARGER_IN_GROUP when a group sets the limit of the whole station. */
async function refuseInGroup(tx: TenantTx, chargerId: string): Promise<void> {
  if (await store.isInGroup(tx, chargerId))
    throw conflict('CHARGER_IN_GROUP', CHARGING_TEXTS.CHARGER_LIMITED_BY_GROUP())
}

/**
 * The connector and the session of a profile. 422 for a purpose that does not match, 409 for a session that
 * is over.
 */
async function targetOf(tx: TenantTx, charger: KnownCharger, body: CreateProfile) {
  const { purpose, connector_id, session_id } = body
  if (purpose === 'charge_point_max' && connector_id !== 0)
    throw unprocessable('BUSINESS_RULE_VIOLATION', CHARGING_TEXTS.PROFILE_MAX_CONNECTOR())
  if ((purpose === 'tx') !== (typeof session_id === 'string'))
    throw unprocessable('BUSINESS_RULE_VIOLATION', CHARGING_TEXTS.PROFILE_TX_SESSION())
  if (purpose === 'charge_point_max') await refuseInGroup(tx, charger.id)
  if (typeof session_id !== 'string') return { connectorId: connector_id, sessionId: null, transaction: {} }
  const session = await store.findSession(tx, charger.id, session_id)
  if (!session) throw invalidReference('session_id')
  if (session.state !== 'active') throw conflict('STATE_CONFLICT', CHARGING_TEXTS.PROFILE_SESSION_OVER())
  const { connector_id: connectorId, transaction_number, ocpp_transaction_id } = session
  return { connectorId, sessionId: session_id, transaction: { transaction_number, ocpp_transaction_id } }
}

/** Stores a charging profile and enqueues the command that sends it. */
export async function createProfile(
  tx: TenantTx,
  chargerId: string,
  { body, caller }: { readonly body: CreateProfile; readonly caller: Caller },
) {
  const charger = await requireCharger(tx, chargerId)
  const fields = profileOf(body, caller.now)
  const { connectorId, sessionId, transaction } = await targetOf(tx, charger, body)
  const { id, profile_number } = await store.create(tx, {
    chargerId: charger.id,
    connectorId,
    purpose: body.purpose,
    stackLevel: fields.stack_level,
    profile: fields,
    sessionId,
    requestedBy: caller.userId,
    now: caller.now,
  })
  const profile: Profile = { profile_number, purpose: body.purpose, ...fields, ...transaction }
  const request: SetChargingProfile = { connector_id: connectorId, profile }
  const command = await enqueue(tx, charger.id, { action: 'set_charging_profile', request, caller })
  await store.update(tx, id, { command_id: command.id, updated_at: caller.now })
  return findProfile(tx, id)
}

/** The tx profile that a remote start carries for the session that it starts, which has no id yet. */
export async function profileOfStart(tx: TenantTx, body: ProfileBody, now: Date): Promise<Profile> {
  return { profile_number: await store.nextNumber(tx), purpose: 'tx', ...profileOf(body, now) }
}

/** Removes a profile from its station. 409 STATE_CONFLICT for one that is neither active nor pending. */
export async function removeProfile(
  tx: TenantTx,
  id: string,
  caller: Caller,
): Promise<{ chargerId: string }> {
  const profile = await findProfile(tx, id)
  const chargerId = profile.charger_id
  if (profile.state !== 'active' && profile.state !== 'pending')
    throw conflict('STATE_CONFLICT', CHARGING_TEXTS.PROFILE_STATE({ state: profile.state }))
  const options = { now: caller.now, effects: { set_charging_profile: settleProfile } }
  if (profile.command_id !== null && (await cancelIfPending(tx, profile.command_id, options)))
    return { chargerId }
  const request: ClearChargingProfiles = { profile_number: profile.profile_number }
  await enqueue(tx, chargerId, { action: 'clear_charging_profile', request, caller })
  return { chargerId }
}

/** Removes all matching profiles from a station, including those that other systems have sent. */
export async function clearProfiles(
  tx: TenantTx,
  chargerId: string,
  { body, caller }: { readonly body: ClearBody; readonly caller: Caller },
) {
  const charger = await requireCharger(tx, chargerId)
  const { purpose = null } = body
  if (purpose === null || purpose === 'charge_point_max') await refuseInGroup(tx, charger.id)
  const request = declaredOf(body, ClearBody)
  return enqueue(tx, charger.id, { action: 'clear_charging_profile', request, caller })
}

/** Requests the composite schedule of a station, which results from all its profiles. */
export async function requestCompositeSchedule(
  tx: TenantTx,
  chargerId: string,
  { body, caller }: { readonly body: GetCompositeSchedule; readonly caller: Caller },
) {
  const charger = await requireCharger(tx, chargerId)
  const request = declaredOf(body, CompositeBody)
  return enqueue(tx, charger.id, { action: 'get_composite_schedule', request, caller })
}
