export { deviceTemplateRoutes } from './routes.ts'
