/** The steps by the names that addresses have; apart from their texts, which the router does not need. */
export const STEP_NAMES = ['site', 'meter', 'values', 'facility', 'group', 'calculation', 'history'] as const
export type StepName = (typeof STEP_NAMES)[number]
