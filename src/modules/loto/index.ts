export { lockedOutDevices, refuseLockedOut } from './interlock.ts'
export { lotoRoutes } from './routes.ts'
