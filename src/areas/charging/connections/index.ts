export { recordProfileRefusal } from './profile-refusal.ts'
export {
  type ChargerCredentials,
  findChargersByCpid,
  findCurrentConnections,
  findReplacedConnections,
  recordActivity,
  recordConnections,
  recordDisconnections,
  type StationActivity,
} from './store.ts'
export { recordTakeover } from './takeover.ts'
