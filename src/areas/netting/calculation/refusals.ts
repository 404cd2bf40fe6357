import { unprocessable } from '../../../kernel/errors.ts'
import { NETTING_ERRORS } from '../shared/index.ts'

export function refuseInactive(group: { readonly is_active: boolean; readonly group_status: string }): void {
  if (!group.is_active || group.group_status === 'inactive') {
    throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.GROUP_INACTIVE())
  }
}

/** A window without any member has no result; zeros would be wrong figures. */
export const noActiveMembers = (groupName: string) =>
  unprocessable('NO_ACTIVE_MEMBERS', NETTING_ERRORS.WINDOW_WITHOUT_MEMBERS({ group: groupName }))
