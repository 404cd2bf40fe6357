export { dashboardRoutes, widgetRoutes } from './routes.ts'
