import { evaluate } from '../eligibility/evaluate.ts'
import type { EligibilityInput, EligibilityMember, Evaluation } from '../eligibility/types.ts'

export interface AssignedGroup {
  readonly groupId: string
  /** The rules' input; its members are those of now. */
  readonly eligibility: EligibilityInput
}

/** What a facility is besides its terms of netting. */
export interface AssignedFacility {
  readonly member: EligibilityMember
  /** Distribution region: its company. Null: unknown. */
  readonly regionId: string | null
  readonly voltageLevel: string | null
}

export interface AssignmentRequest {
  /** Facilities that may move; empty: every member. */
  readonly facilityIds: readonly string[]
  readonly groups: readonly AssignedGroup[]
  /** Every member of now. */
  readonly facilities: readonly AssignedFacility[]
  readonly sameRegion: boolean
  readonly sameVoltage: boolean
}

/** By facility, its group. */
export type Assignment = ReadonlyMap<string, string>

/**
 * A facility that an assignment places, by its id, or a facility in one of the groups in which it stays, by both ids.
 * The latter is a part of its group whatever the assignment is.
 */
export type PartyKey = string

export const stayingKey = (facilityId: string, groupId: string): PartyKey => `${facilityId} ${groupId}`

export interface GroupEvaluation {
  readonly groupId: string
  readonly evaluation: Evaluation
}

/** The eligibility rules for any members of a group. Members of now that an assignment does not name stay. */
export class AssignmentRules {
  private readonly request: AssignmentRequest
  private readonly facilities: ReadonlyMap<string, AssignedFacility>
  /** By group: the members that stay. */
  private readonly staying: ReadonlyMap<string, readonly string[]>

  constructor(request: AssignmentRequest, assigned: ReadonlySet<string>) {
    this.request = request
    this.facilities = new Map(request.facilities.map((one) => [one.member.facilityId, one]))
    const idsOf = ({ eligibility }: AssignedGroup) => eligibility.members.map(({ facilityId }) => facilityId)
    this.staying = new Map(
      request.groups.map((group) => [group.groupId, idsOf(group).filter((id) => !assigned.has(id))]),
    )
  }

  isProducer(facilityId: string): boolean {
    return this.facilities.get(facilityId)?.member.role !== 'consumption'
  }

  /** Whether a member that stays produces. */
  hasProducer({ groupId }: AssignedGroup): boolean {
    return this.stayingIn(groupId).some((id) => this.isProducer(id))
  }

  /** Whether the facilities may be together in the group, whichever others move into it. */
  mayJoin(group: AssignedGroup, facilityIds: readonly string[]): boolean {
    const { results } = this.evaluate(group, facilityIds)
    if (results.some((one) => one.isBlocking && one.status === 'fail' && one.code !== 'R002')) return false
    const { sameRegion, sameVoltage } = this.request
    const known = this.membersOf(group, facilityIds)
    const differ = (values: readonly (string | null)[]) =>
      new Set(values.filter((one) => one !== null)).size > 1
    if (sameRegion && differ(known.map(({ regionId }) => regionId))) return false
    return !(sameVoltage && differ(known.map(({ voltageLevel }) => voltageLevel)))
  }

  /** Whether the rules allow an assignment as a whole. */
  allows(assignment: Assignment): boolean {
    return this.evaluations(assignment).every(({ evaluation }) => evaluation.status !== 'blocked')
  }

  /** As `allows`, and every group has one region and voltage level where the request wants it. */
  allowsAll(assignment: Assignment): boolean {
    const groups = this.request.groups.every((group) => {
      const ids = assignedTo(assignment, group)
      return ids.length === 0 || this.mayJoin(group, ids)
    })
    return groups && this.allows(assignment)
  }

  /** The evaluation of each group that has a member. */
  evaluations(assignment: Assignment): GroupEvaluation[] {
    return this.request.groups.flatMap((group) => {
      const ids = assignedTo(assignment, group)
      const isEmpty = ids.length + this.stayingIn(group.groupId).length === 0
      return isEmpty ? [] : [{ groupId: group.groupId, evaluation: this.evaluate(group, ids) }]
    })
  }

  private stayingIn(groupId: string): readonly string[] {
    return this.staying.get(groupId) ?? []
  }

  private membersOf({ groupId }: AssignedGroup, facilityIds: readonly string[]): AssignedFacility[] {
    const ids = [...this.stayingIn(groupId), ...facilityIds]
    return ids.flatMap((id) => this.facilities.get(id) ?? [])
  }

  private evaluate(group: AssignedGroup, facilityIds: readonly string[]): Evaluation {
    const { eligibility } = group
    const members = this.membersOf(group, facilityIds).map(({ member }) => member)
    const ids = new Set(members.map(({ facilityId }) => facilityId))
    const isOwn = ({ facilityId }: { readonly facilityId: string }) => ids.has(facilityId)
    return evaluate({
      ...eligibility,
      members,
      transfers: eligibility.transfers.filter(isOwn),
      highestProduction: eligibility.highestProduction.filter(isOwn),
    })
  }
}

const assignedTo = (assignment: Assignment, { groupId }: AssignedGroup): string[] =>
  [...assignment].filter(([, own]) => own === groupId).map(([id]) => id)
