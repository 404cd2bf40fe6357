export { lockedOutDevices, lockedOutTimes, refuseLockedOut } from './interlock.ts'
export { lotoRoutes } from './routes.ts'
