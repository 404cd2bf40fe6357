export { settleListPart, settleListVersion } from './effects.ts'
export type { ListChange, SendLocalList } from './entries.ts'
export { localListRoutes } from './routes.ts'
