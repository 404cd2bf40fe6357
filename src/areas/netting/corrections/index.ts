export {
  type MembershipCorrection,
  openMembershipCorrection,
  runMembershipCorrection,
} from './membership.ts'
export { correctionRoutes } from './routes.ts'
