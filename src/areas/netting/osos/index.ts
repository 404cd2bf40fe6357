export { ososImportRoutes } from './import-routes.ts'
export { ososRoutes } from './routes.ts'
