export { doFollowing, type Following, openFollowing } from './membership.ts'
export { correctionRoutes } from './routes.ts'
