export { correctMembership, type PastMember } from './membership.ts'
export { correctionRoutes } from './routes.ts'
