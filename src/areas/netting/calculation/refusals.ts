import { unprocessable } from '../../../kernel/errors.ts'

export function refuseInactive(group: { readonly is_active: boolean; readonly group_status: string }): void {
  if (!group.is_active || group.group_status === 'inactive') {
    throw unprocessable('BUSINESS_RULE_VIOLATION', 'an inactive group cannot be calculated')
  }
}

/** A window without any member has no result; zeros would be wrong figures. */
export const noActiveMembers = (groupName: string) =>
  unprocessable('NO_ACTIVE_MEMBERS', `group ${groupName} has no member in any hour of the window`)
