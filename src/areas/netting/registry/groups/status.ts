import { conflict, unprocessable } from '../../../../kernel/errors.ts'
import { NETTING_ERRORS } from '../../shared/index.ts'

export const STEPS = ['customer_defined', 'ek1_submitted', 'grid_operator_confirmed', 'lum_reported'] as const
export const GROUP_STATUSES = [...STEPS, 'inactive'] as const
export type GroupStatus = (typeof GROUP_STATUSES)[number]

interface StatusChange {
  readonly group_status?: GroupStatus
  readonly is_active?: boolean
}

const position = (status: GroupStatus): number => (STEPS as readonly GroupStatus[]).indexOf(status)

function refuseTransition(from: GroupStatus, to: GroupStatus): void {
  const isOneStep = position(to) === position(from) + 1
  if (to !== 'inactive' && (from === 'inactive' || !isOneStep)) {
    throw conflict('STATE_CONFLICT', NETTING_ERRORS.GROUP_STATUS_TRANSITION({ from, to }))
  }
}

/**
 * The status that results from a change of group_status and is_active. An unchanged value is no change. The
 * status moves one step forward or to inactive, otherwise 409. is_active false is the transition to inactive;
 * is_active true on an inactive group restarts at customer_defined. 422 when both change and contradict each
 * other.
 */
export function nextStatus(from: GroupStatus, { group_status, is_active }: StatusChange): GroupStatus {
  const isActive = from !== 'inactive'
  const switched = is_active === undefined || is_active === isActive ? undefined : is_active
  const bySwitch = switched === undefined ? from : switched ? 'customer_defined' : 'inactive'
  if (group_status === undefined || group_status === from) return bySwitch
  if (switched === undefined) refuseTransition(from, group_status)
  else if (group_status !== bySwitch) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.GROUP_STATUS_CONTRADICTION())
  }
  return group_status
}
