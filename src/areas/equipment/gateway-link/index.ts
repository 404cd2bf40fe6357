export { issueCredential, verifyLogin } from './credentials.ts'
export { type BoundDevice, devicesOfGateway, registerMapOf, tenantIdOf } from './directory-store.ts'
export {
  type GatewaySeen,
  keepRetained,
  noteGatewayState,
  noteGatewaysSeen,
  noteNobodyThere,
  readRetained,
} from './health-store.ts'
export { keepLetters, type NewLetter } from './letter-store.ts'
export { trimAllLetters, trimTenantLetters } from './letters.ts'
export {
  copyNumbering,
  mergeNumberings,
  missingOf,
  type Numbering,
  takeNextNumber,
  takeNumber,
} from './numbering.ts'
export { gatewayLinkRoutes } from './routes.ts'
export { countOpenGaps, mergeNumbering, readNumbering } from './sequence-store.ts'
