export { lockedOutDevices, lockedOutTimes, refuseLockedOut } from './interlock.ts'
