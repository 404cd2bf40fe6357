export { type MembershipCorrection, openMembershipCorrection, runMembershipCorrection } from './membership.ts'
