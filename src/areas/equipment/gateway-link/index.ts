export { issueCredential, verifyLogin } from './credentials.ts'
export { insertDeadLetters as keepLetters, type NewDeadLetter as NewLetter } from './dead-letter-store.ts'
export {
  trimAllDeadLetters as trimAllLetters,
  trimTenantDeadLetters as trimTenantLetters,
} from './dead-letters.ts'
export {
  type BoundDevice,
  findRegisterMap as registerMapOf,
  findTenantIdByUid as tenantIdOf,
  listGatewayDevices as devicesOfGateway,
} from './directory-store.ts'
export {
  type GatewayActivity as GatewaySeen,
  markAllOffline as noteNobodyThere,
  readRetained,
  storeRetained as keepRetained,
  updateGatewayState as noteGatewayState,
  updateLastSeen as noteGatewaysSeen,
} from './gateway-state-store.ts'
export {
  copySequence as copyNumbering,
  type MessageSequence as Numbering,
  mergeSequences as mergeNumberings,
  missingNumbers as missingOf,
  recordNumber as takeNumber,
  tryAppendNumber as takeNextNumber,
} from './message-sequence.ts'
export {
  countOpenGaps,
  mergeStoredSequence as mergeNumbering,
  readSequence as readNumbering,
} from './message-sequence-store.ts'
export { gatewayLinkRoutes } from './routes.ts'
