export { exportRoutes } from './routes.ts'
export { sweepExports } from './sweep.ts'
