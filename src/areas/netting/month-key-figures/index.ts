export { monthKeyFiguresRoutes } from './routes.ts'
