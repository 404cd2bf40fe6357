import type { AssignedGroup } from '../../../core/netting/optimisation/assignment-rules.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { eligibilityInput } from '../eligibility/index.ts'
import type { Task } from './compute-work.ts'
import { decodeTask } from './decode-request.ts'
import type { CreateOptimisation } from './schema.ts'
import * as store from './store.ts'

/** The task of a request; an assignment with what the eligibility rules know of groups and facilities now. */
export async function loadTask(tenant: TenantDb, request: CreateOptimisation, now: number): Promise<Task> {
  const task = decodeTask(request, now)
  if (task.kind !== 'assignment') return task
  const groups: AssignedGroup[] = []
  for (const id of request.group_ids.map((one) => one.toLowerCase())) {
    const eligibility = await eligibilityInput(tenant, id, now)
    if (eligibility) groups.push({ groupId: id, eligibility })
  }
  const members = groups.flatMap(({ eligibility }) => eligibility.members)
  const places = await store.listPlaces(
    tenant,
    members.map(({ facilityId }) => facilityId),
  )
  const all = <T>(of: (group: AssignedGroup) => readonly T[]): T[] => groups.flatMap(of)
  return {
    kind: 'assignment',
    facilityIds: (request.facility_ids ?? []).map((id) => id.toLowerCase()),
    groups: groups.map(({ groupId, eligibility }) => ({
      groupId,
      eligibility: {
        ...eligibility,
        transfers: all((one) => one.eligibility.transfers),
        facilityIdsWithAccount: all((one) => one.eligibility.facilityIdsWithAccount),
        facilityIdsWithMainMeter: all((one) => one.eligibility.facilityIdsWithMainMeter),
        highestProduction: all((one) => one.eligibility.highestProduction),
      },
    })),
    facilities: members.map((member) => ({
      member,
      regionId: places.get(member.facilityId)?.distribution_company_id ?? null,
      voltageLevel: places.get(member.facilityId)?.voltage_level ?? null,
    })),
    sameRegion: request.same_region ?? true,
    sameVoltage: request.same_voltage ?? false,
  }
}
