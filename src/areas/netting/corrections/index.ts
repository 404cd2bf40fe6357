export { checkStaleGroup } from './automatic.ts'
export { type MembershipCorrection, openMembershipCorrection, runMembershipCorrection } from './membership.ts'
export { correctGroup } from './service.ts'
