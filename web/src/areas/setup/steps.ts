import type { Permission } from '../../../../src/kernel/permissions.ts'
import type { StepName } from './step-names.ts'
import { SETUP_TEXTS } from './texts.ts'

/** The steps from an empty tenant to the first netted hour, in their sequence. */
export const STEPS = [
  { name: 'site', text: SETUP_TEXTS.SETUP_SITE, permission: 'manage:region' },
  { name: 'meter', text: SETUP_TEXTS.SETUP_METER, permission: 'manage:device' },
  { name: 'values', text: SETUP_TEXTS.SETUP_VALUES, permission: 'read:measurement' },
  { name: 'facility', text: SETUP_TEXTS.SETUP_FACILITY, permission: 'manage:netting' },
  { name: 'group', text: SETUP_TEXTS.SETUP_GROUP, permission: 'manage:netting' },
  { name: 'calculation', text: SETUP_TEXTS.SETUP_CALCULATION, permission: 'manage:netting' },
] as const satisfies readonly { name: StepName; permission: Permission; text: unknown }[]
