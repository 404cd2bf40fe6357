export { issueCredential, verifyLogin } from './credentials.ts'
export { keepLetters, type NewLetter } from './dead-letter-store.ts'
export { trimAllLetters, trimTenantLetters } from './dead-letters.ts'
export { type BoundDevice, devicesOfGateway, registerMapOf, tenantIdOf } from './directory-store.ts'
export {
  type GatewaySeen,
  keepRetained,
  noteGatewayState,
  noteGatewaysSeen,
  noteNobodyThere,
  readRetained,
} from './gateway-state-store.ts'
export {
  copyNumbering,
  mergeNumberings,
  missingOf,
  type Numbering,
  takeNextNumber,
  takeNumber,
} from './message-sequence.ts'
export { countOpenGaps, mergeNumbering, readNumbering } from './message-sequence-store.ts'
export { gatewayLinkRoutes } from './routes.ts'
