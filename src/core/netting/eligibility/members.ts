import type { Message } from '../../../kernel/messages.ts'
import { ELIGIBILITY_NAMES_MAX } from '../limits.ts'
import { sortedBy } from '../text-order.ts'
import type { AboneGrubu } from '../types.ts'
import { RULE_TEXTS } from './messages.ts'
import type { EligibilityInput, EligibilityMember } from './types.ts'

type WithMembers = Pick<EligibilityInput, 'members'>

export const consumersOf = ({ members }: WithMembers): EligibilityMember[] =>
  members.filter((member) => member.role !== 'production')

/** A group whose consumers are all homes; without a consumer it is not residential. */
export function isResidential(input: WithMembers): boolean {
  const consumers = consumersOf(input)
  return consumers.length > 0 && consumers.every((member) => member.aboneGrubu === 'mesken')
}

/** The known subscriber groups of the consumers, each once, sorted. */
export function knownAboneGroups(input: WithMembers): AboneGrubu[] {
  const known = consumersOf(input).flatMap(({ aboneGrubu }) => aboneGrubu ?? [])
  return sortedBy([...new Set(known)], (text) => text)
}

const byName = (members: readonly EligibilityMember[]) =>
  sortedBy(members, (member) => `${member.facilityName}\n${member.facilityId}`)

/** The names of facilities as a parameter of a text: the first few by name, and how many more. */
export function namesOf(members: readonly EligibilityMember[]): readonly string[] | Message {
  const names = byName(members).map((member) => member.facilityName)
  const more = names.length - ELIGIBILITY_NAMES_MAX
  return more > 0 ? RULE_TEXTS.NAMES_AND_MORE({ names: names.slice(0, ELIGIBILITY_NAMES_MAX), more }) : names
}

/** The ids of the same facilities, all of them, in the order of the sentence. */
export const idsOf = (members: readonly EligibilityMember[]): string[] =>
  byName(members).map((member) => member.facilityId)
